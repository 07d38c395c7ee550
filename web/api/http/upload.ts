import type { QueryOf, ResponseOf } from '../../../domain/api/operation.ts';
import { addressOf } from './client.ts';
import { credentials } from './credentials.ts';
import { type Operations, operations } from './operations.ts';
import { problemOf, unreachable } from './problem.ts';

export interface UploadOptions {
  /** Bytes sent so far, and the total. */
  onProgress: (sent: number, all: number) => void;
  signal: AbortSignal;
  reading: QueryOf<Operations['replaceAudienceContacts']>;
}

type Replaced = ResponseOf<Operations['replaceAudienceContacts']>;

/** `fetch` does not report upload progress; XMLHttpRequest does. */
async function put(
  address: string,
  file: Blob,
  { onProgress, signal }: Omit<UploadOptions, 'reading'>,
): Promise<Response> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    request.open('PUT', address);
    request.setRequestHeader('content-type', 'text/csv');
    request.setRequestHeader('accept', 'application/json');
    if (credentials.token) request.setRequestHeader('authorization', `Bearer ${credentials.token}`);
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded, total));
    request.addEventListener('loadend', () => signal.removeEventListener('abort', abort));
    request.addEventListener('load', () => {
      const id = request.getResponseHeader('x-request-id');
      const headers = new Headers(id === null ? {} : { 'x-request-id': id });
      resolve(new Response(request.responseText, { status: request.status, headers }));
    });
    request.addEventListener('error', () => reject(unreachable(new Error('the upload broke off'))));
    request.addEventListener('abort', () => reject(new DOMException('the upload was cancelled', 'AbortError')));
    signal.addEventListener('abort', abort);
    request.send(file);
  });
}

/**
 * Replaces a saved list with a CSV file, streamed from the disk. All or nothing: the list stays unchanged even if the
 * upload is cancelled.
 * @throws ApiProblem, with a line number in the path of each error (`/12`); AbortError when aborted
 */
export async function uploadContacts(audienceId: string, file: Blob, options: UploadOptions): Promise<Replaced> {
  const address = addressOf(operations.replaceAudienceContacts, { params: { audienceId }, query: options.reading });
  let response = await put(address, file, options);
  if (response.status === 401 && (await credentials.renew())) response = await put(address, file, options);
  if (!response.ok) throw await problemOf(response);
  return (await response.json()) as Replaced;
}
