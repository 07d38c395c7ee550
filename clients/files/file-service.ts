import type { HttpExchange } from '../http/exchange.ts';

export interface FileServiceOptions {
  /** FILES_URL: files uploaded there are public at the same address. */
  baseUrl: string;
  /** FILES_TOKEN, sent as a bearer; undefined for a service that needs none. */
  token: string | undefined;
  exchange: HttpExchange;
}

export interface StoredFile {
  name: string;
  type: string;
  bytes: Buffer;
  requestId: string;
}

export type StoreOutcome = { kind: 'stored'; url: string } | { kind: 'failed'; message: string };

/** Where files that customers see are kept. */
export interface FileService {
  /** Never rejects, and its messages do not contain the token. */
  store(file: StoredFile): Promise<StoreOutcome>;
}

/** A service that keeps what is PUT under its address, as object stores and WebDAV servers do. */
export function createFileService({ baseUrl, token, exchange }: FileServiceOptions): FileService {
  return {
    async store({ name, type, bytes, requestId }) {
      const url = new URL(`${baseUrl}/${name}`);
      const outcome = await exchange.send({
        method: 'PUT',
        url,
        headers: { 'content-type': type, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
        body: bytes,
        requestId,
      });
      if (outcome.kind === 'failed') return { kind: 'failed', message: outcome.message };
      const { status } = outcome.response;
      if (status >= 200 && status < 300) return { kind: 'stored', url: url.href };
      return { kind: 'failed', message: `the file service responded with HTTP ${status}` };
    },
  };
}
