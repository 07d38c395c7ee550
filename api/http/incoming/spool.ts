import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from 'koa';
import { eachChunk } from './chunks.ts';
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
  const { mostBytes, pace, folder, makeRoom } = options;
  const file = await namelessFile(folder);
  const writing = eachChunk(ctx, mostBytes, async (chunk) => {
    makeRoom(chunk.length);
    await file.appendFile(chunk);
  });
  try {
    await keepingPace(ctx, writing, pace);
    return await use(file.createReadStream({ start: 0, autoClose: false }) as AsyncIterable<Buffer>);
  } finally {
    await file.close();
    // A body that was too slow goes on into a file that is closed, and ends with its connection.
    writing.catch(() => undefined);
  }
}
