import { Agent } from 'undici';
import type { OutsideAddresses } from '../addresses/outside-addresses.ts';

/** What a phone would get that opens the address of a picture. */
export type ReadImage =
  { kind: 'read'; bytes: Buffer } | { kind: 'refused'; status: number } | { kind: 'not_public' | 'unreachable' };

/** Reads pictures that people have named, wherever they are. */
export interface ImageReader {
  /** At most the first `maximumBytes`. Never rejects because of the network. */
  read(url: string, maximumBytes: number): Promise<ReadImage>;
  close(): Promise<void>;
}

const TIMEOUT_MS = 5000;
/** Phones follow redirects, too. */
const REDIRECTS = 3;

async function firstBytes(body: AsyncIterable<Buffer>, maximumBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of body) {
    parts.push(part);
    size += part.length;
    if (size >= maximumBytes) break;
  }
  return Buffer.concat(parts).subarray(0, maximumBytes);
}

/** @param addresses which addresses may be called; checked for each redirect. */
export function createImageReader(addresses: OutsideAddresses): ImageReader {
  const agent = new Agent({ connect: { timeout: TIMEOUT_MS, lookup: addresses.lookup }, keepAliveTimeout: 1000 });

  async function follow(url: URL, maximumBytes: number, signal: AbortSignal, left: number): Promise<ReadImage> {
    if (addresses.problemOfText(url) !== null) return { kind: 'not_public' };
    const { statusCode, headers, body } = await agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: 'GET',
      signal,
      headers: { accept: 'image/*', 'accept-encoding': 'identity' },
    });
    const { location } = headers;
    if (statusCode >= 300 && statusCode < 400 && typeof location === 'string' && left > 0) {
      await body.dump();
      return follow(new URL(location, url), maximumBytes, signal, left - 1);
    }
    if (statusCode === 200) return { kind: 'read', bytes: await firstBytes(body, maximumBytes) };
    await body.dump();
    return { kind: 'refused', status: statusCode };
  }

  return {
    async read(url, maximumBytes) {
      try {
        return await follow(new URL(url), maximumBytes, AbortSignal.timeout(TIMEOUT_MS), REDIRECTS);
      } catch (error) {
        const { code } = error as { code?: unknown };
        return { kind: code === 'EADDRREFUSED' ? 'not_public' : 'unreachable' };
      }
    },
    close: () => agent.destroy(),
  };
}
