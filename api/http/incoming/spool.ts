import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from 'koa';
import { Problem } from '../../../domain/api/problem.ts';
import { keepingPace, type Pace } from './pace.ts';

export interface SpoolOptions {
  folder: string;
  /** Of the body. */
  mostBytes: number;
  pace: Pace;
  /** Called before bytes are written. @throws what refuses them */
  makeRoom: (bytes: number) => void;
}

/** A file without a name: it is gone once it is closed, even if the process is killed. */
async function namelessFile(folder: string): Promise<FileHandle> {
  const path = join(folder, `outreach-upload-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

export const bodyTooLarge = (limit: number): Problem =>
  new Problem('too_large', `The body is larger than ${limit} bytes`);

async function writeAll(ctx: Context, file: FileHandle, { mostBytes, makeRoom }: SpoolOptions): Promise<void> {
  let written = 0;
  // Otherwise leaving the loop would close the connection, and nobody would get the response.
  const chunks = ctx.req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  try {
    for await (const chunk of chunks) {
      written += chunk.length;
      if (written > mostBytes) throw bodyTooLarge(mostBytes);
      makeRoom(chunk.length);
      await file.appendFile(chunk);
    }
  } catch (error) {
    if (ctx.req.destroyed) throw new Problem('invalid_request', 'The body ended early', { cause: error });
    // What is left of the body would precede the connection's next request.
    ctx.req.resume();
    throw error;
  }
}

/**
 * Receives the request's body into a file before anything else is done with it, so that whoever sends it slowly holds
 * nothing but a connection and the file.
 * @param use reads the file as often as it likes until it ends
 * @throws Problem `too_large`, `too_slow`, `invalid_request` if the body ends early, and what `makeRoom` and `use` throw.
 */
export async function spooled<T>(
  ctx: Context,
  options: SpoolOptions,
  use: (chunks: AsyncIterable<Buffer>) => Promise<T>,
): Promise<T> {
  const { mostBytes, pace, folder } = options;
  if ((ctx.request.length ?? 0) > mostBytes) throw bodyTooLarge(mostBytes);
  const file = await namelessFile(folder);
  const writing = writeAll(ctx, file, options);
  try {
    await keepingPace(ctx, writing, pace);
    return await use(file.createReadStream({ start: 0, autoClose: false }) as AsyncIterable<Buffer>);
  } finally {
    await file.close();
    // A body that was too slow goes on into a file that is closed, and ends with its connection.
    writing.catch(() => undefined);
  }
}
