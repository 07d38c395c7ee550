import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { projectFolder } from '#scripts/start/services.ts';
import { temporaryFolder } from '../servers/servers.ts';

const run = promisify(execFile);

/** Node's binary as npm has it for this kind of machine. */
export const nodePackage = `node-${process.platform}-${process.arch}`;

/**
 * Installs a release of Node into a folder of its own.
 * @returns the folder of its `node`
 * @throws Error with npm's output if it cannot be had.
 */
export async function installNode(version: string): Promise<string> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  await run('npm', ['install', '--no-audit', '--no-fund', '--no-save', `${nodePackage}@${version}`], { cwd: folder });
  return join(folder, 'node_modules', nodePackage, 'bin');
}

/** What a clone does not have, except for what has been built, which would only be built again. */
const notCloned = /^(node_modules|\.git|\.data|\.cache|dist\/screenshots)(\/|$)/;

/** The project in a folder of its own, without its dependencies. */
export function copyOfProject(): string {
  const folder = join(temporaryFolder(), 'checkout');
  mkdirSync(folder);
  cpSync(projectFolder, folder, {
    recursive: true,
    preserveTimestamps: true,
    filter: (source) => !notCloned.test(relative(projectFolder, source)),
  });
  return folder;
}

/** A PATH on which this folder's programs come first, so that npm and what it starts use them. */
export const pathWith = (folder: string): string => [folder, process.env['PATH']].join(delimiter);
