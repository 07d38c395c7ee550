import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cacheFolder } from '../start/temporal-finder.ts';

const folder = (): string => join(cacheFolder(), 'builds');

/** Another checkout may just be copying a younger one. */
const KEPT_MS = 7 * 86_400_000;

/** Never half of it: a file or folder is copied beside its place, and then moved; another checkout may be reading there. */
export function copyWhole(from: string, to: string): void {
  const fresh = `${to}.${process.pid}`;
  mkdirSync(dirname(to), { recursive: true });
  rmSync(fresh, { recursive: true, force: true });
  cpSync(from, fresh, { recursive: true });
  // A file is replaced by the move; a folder would have to be empty.
  if (statSync(from).isDirectory()) rmSync(to, { recursive: true, force: true });
  renameSync(fresh, to);
}

function removeOld(): void {
  for (const name of readdirSync(folder())) {
    const path = join(folder(), name);
    if (Date.now() - statSync(path).mtimeMs > KEPT_MS) rmSync(path, { recursive: true, force: true });
  }
}

/** Takes what any checkout of this user built from the same inputs. @returns whether there was such a build. */
export function fetchBuild(name: string, inputs: string, output: string): boolean {
  const found = join(folder(), `${name}-${inputs}`);
  if (!existsSync(found)) return false;
  copyWhole(found, output);
  return true;
}

/** Leaves a build to the other checkouts of this user. */
export function leaveBuild(name: string, inputs: string, output: string): void {
  mkdirSync(folder(), { recursive: true });
  removeOld();
  const place = join(folder(), `${name}-${inputs}`);
  if (!existsSync(place)) copyWhole(output, place);
}
