import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { copyWhole } from '../build/shared.ts';
import { projectFolder } from '../start/services.ts';
import { cacheFolder } from '../start/temporal-finder.ts';

/** Where a tool notes what it found out about files, so that it need not look again until they change. */
export const kept = (name: string): string => `dist/checks/${name}`;

/** The files of notes. */
export const FORMATTED = 'formatted.json';
export const TYPES = 'types.tsbuildinfo';
export const TYPES_OF_THE_CONSOLE = 'types-of-the-console.tsbuildinfo';

const shared = (name: string): string => join(cacheFolder(), 'checks', name);

/** Begins a fresh checkout with the notes that this user's last one left. Each goes by the contents of files, wherever they are. */
export function fetchNotes(name: string): void {
  const own = join(projectFolder, kept(name));
  if (existsSync(own) || !existsSync(shared(name))) return;
  copyWhole(shared(name), own);
}

/** Leaves the notes to the next fresh checkout. */
export function leaveNotes(name: string): void {
  const own = join(projectFolder, kept(name));
  if (existsSync(own)) copyWhole(own, shared(name));
}
