import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '#test/support/servers/servers.ts';
import { projectFolder } from '../start/services.ts';

/** A copy of the working tree, with its packages linked, that is deleted when this process ends. */
export function copyTree(): string {
  const folder = temporaryFolder();
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: projectFolder,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  for (const path of listed.split('\0')) {
    const source = join(projectFolder, path);
    if (path === '' || path === 'node_modules' || !existsSync(source)) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    copyFileSync(source, join(folder, path));
  }
  symlinkSync(join(projectFolder, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}
