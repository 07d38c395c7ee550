import type { QueryOf, ResponseOf } from '#domain/api/operation.ts';
import { addressOf } from './client.ts';
import { credentials } from './credentials.ts';
import { type Operations, operations } from './operations.ts';
import { problemOf, unreachable } from './problem.ts';

export interface Watching {
  /** Bytes sent so far, and the total. */
  onProgress: (sent: number, all: number) => void;
  signal: AbortSignal;
}

export interface UploadOptions extends Watching {
  /** Of the list that was read. */
  etag: string;
  reading: QueryOf<Operations['replaceAudienceContacts']>;
}

type Replaced = ResponseOf<Operations['replaceAudienceContacts']>;
type Image = ResponseOf<Operations['uploadImage']>;

interface Sending {
  method: string;
  address: string;
  type: string;
  etag?: string;
  file: Blob;
}

/** `fetch` does not report upload progress; XMLHttpRequest does. */
async function sendOnce(
  { method, address, type, etag, file }: Sending,
  { onProgress, signal }: Watching,
): Promise<Response> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    request.open(method, address);
    request.setRequestHeader('content-type', type);
    request.setRequestHeader('accept', 'application/json');
    if (etag !== undefined) request.setRequestHeader('if-match', etag);
    if (credentials.token) request.setRequestHeader('authorization', `Bearer ${credentials.token}`);
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded, total));
    request.addEventListener('loadend', () => signal.removeEventListener('abort', abort));
    request.addEventListener('load', () => {
      const id = request.getResponseHeader('x-request-id');
      const headers = new Headers(id === null ? {} : { 'x-request-id': id });
      resolve(new Response(request.responseText, { status: request.status, headers }));
    });
    request.addEventListener('error', () => reject(unreachable(new Error('the upload broke off'), true)));
    request.addEventListener('abort', () => reject(new DOMException('the upload was cancelled', 'AbortError')));
    signal.addEventListener('abort', abort);
    request.send(file);
  });
}

async function send(sending: Sending, watching: Watching): Promise<Response> {
  let response = await sendOnce(sending, watching);
  if (response.status === 401 && (await credentials.renew())) response = await sendOnce(sending, watching);
  if (!response.ok) throw await problemOf(response);
  return response;
}

/**
 * Replaces a saved list with a CSV file, streamed from the disk. All or nothing: the list stays unchanged even if the
 * upload is cancelled.
 * @throws ApiProblem, with a line number in the path of each error (`/12`); AbortError when aborted
 */
export async function uploadContacts(audienceId: string, file: Blob, options: UploadOptions): Promise<Replaced> {
  const address = addressOf(operations.replaceAudienceContacts, { params: { audienceId }, query: options.reading });
  const response = await send({ method: 'PUT', address, type: 'text/csv', etag: options.etag, file }, options);
  return (await response.json()) as Replaced;
}

/**
 * Uploads an image; anybody who knows its address can see it.
 * @throws ApiProblem; AbortError when aborted
 */
export async function uploadImage(file: Blob, watching: Watching): Promise<Image> {
  const { path: address } = operations.uploadImage;
  const response = await send({ method: 'POST', address, type: 'application/octet-stream', file }, watching);
  return (await response.json()) as Image;
}
