import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const KEPT_FILES = 200;

/** Whether a name can be kept: one plain name with an ending, so that it cannot leave the folder. */
const isName = (name: string): boolean => /^[A-Za-z0-9][A-Za-z0-9-]{0,99}\.[a-z0-9]{1,5}$/.test(name);

/** The newest 200 files, in a folder, so that pictures of drafts survive a restart. */
export function createFiles(folder: string) {
  function forgetOldest(): void {
    const kept = readdirSync(folder).map((name) => ({ name, at: statSync(join(folder, name)).mtimeMs }));
    const surplus = kept.toSorted((one, other) => other.at - one.at).slice(KEPT_FILES);
    for (const { name } of surplus) rmSync(join(folder, name), { force: true });
  }
  return {
    isName,
    /** Keeps the file under its name, instead of another one of that name. */
    put(name: string, bytes: Buffer): void {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, name), bytes);
      forgetOldest();
    },
    /** Null where there is none. */
    read(name: string): Buffer | null {
      try {
        return isName(name) ? readFileSync(join(folder, name)) : null;
      } catch {
        return null;
      }
    },
  };
}

export type Files = ReturnType<typeof createFiles>;
