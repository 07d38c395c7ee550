import { readdirSync } from 'node:fs';
import { projectFolder } from '../start/services.ts';

const notRead = new Set(['node_modules', 'dist']);

function filesIn(folder: string): string[] {
  return readdirSync(folder === '' ? projectFolder : `${projectFolder}${folder}`, { withFileTypes: true }).flatMap(
    (entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return notRead.has(entry.name) || entry.name.startsWith('.') ? [] : filesIn(path);
      return entry.name.endsWith('.test.ts') ? [path] : [];
    },
  );
}

export const isBrowserTest = (file: string): boolean => file.startsWith('test/browser/');

/** Files that wait for whole systems take longest: begun first, they leave the short ones to fill the gaps at the end. */
function turnOf(file: string): number {
  if (isBrowserTest(file)) return 1;
  return file.startsWith('test/') ? 0 : 2;
}

/** Spreads the files of a folder over their turn: those of one folder strain the same parts. */
function spread(files: string[]): [place: number, file: string][] {
  const byFolder = new Map<string, string[]>();
  for (const file of files) {
    const folder = file.slice(0, file.lastIndexOf('/'));
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), file]);
  }
  return [...byFolder.values()].flatMap((mates) =>
    mates.toSorted().map((file, index): [number, string] => [turnOf(file) + (index + 0.5) / mates.length, file]),
  );
}

/** The paths of all test files, or of those that contain one of the fragments, in the order in which they are begun. */
export function testFiles(fragments: string[] = []): string[] {
  const wanted = filesIn('').filter(
    (file) => fragments.length === 0 || fragments.some((fragment) => file.includes(fragment)),
  );
  return spread(wanted)
    .toSorted(([one], [other]) => one - other)
    .map(([, file]) => file);
}
