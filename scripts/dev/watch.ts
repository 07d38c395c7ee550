import { existsSync, readdirSync, statSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectFolder } from '../start/services.ts';

/** Editors write a file in several steps, and several files at once. */
const SETTLE_MS = 30;

const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();

const foldersIn = (path: string): string[] => [
  path,
  ...readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) => foldersIn(join(path, entry.name))),
];

/**
 * Calls back with what has changed below these folders and among these files, relative to the project, once nothing has for a
 * moment, and not again before that call has ended. Folders are watched rather than files: an editor may put a new file in the
 * place of the old one.
 */
export function watchSources(sources: readonly string[], changed: (files: string[]) => Promise<void>): void {
  const names = sources.map((source) => join(projectFolder, source));
  let files = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let last = Promise.resolve();

  function tell(): void {
    const gathered = [...files];
    files = new Set();
    last = last.then(() => changed(gathered));
  }

  function notice(path: string): void {
    if (!names.some((name) => path === name || path.startsWith(`${name}/`)) || path.endsWith('.test.ts')) return;
    if (isFolder(path)) watchFolders(foldersIn(path));
    files.add(path.slice(projectFolder.length));
    clearTimeout(timer);
    timer = setTimeout(tell, SETTLE_MS);
  }

  function watchFolders(folders: readonly string[]): void {
    for (const folder of folders) {
      const watcher = watch(folder, (_, name) => name !== null && notice(join(folder, name)));
      // Its folder is gone.
      watcher.on('error', () => watcher.close());
    }
  }

  watchFolders([...new Set(names.flatMap((name) => (isFolder(name) ? foldersIn(name) : [dirname(name)])))]);
}
