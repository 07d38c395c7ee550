import { readFile, stat } from 'node:fs/promises';

/** A value computed from a file, recomputed when the file changes; undefined while there is none. */
export type KeptFile<T> = () => Promise<T | undefined>;

export function keptFile<T>(path: string, make: (content: Buffer) => T): KeptFile<T> {
  let kept: { made: T; modifiedMs: number } | undefined;
  return async () => {
    const found = await stat(path).catch(() => undefined);
    if (!found?.isFile()) return undefined;
    if (kept?.modifiedMs !== found.mtimeMs) kept = { made: make(await readFile(path)), modifiedMs: found.mtimeMs };
    return kept.made;
  };
}
