import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectFolder } from '../../scripts/start/services.ts';

const MAX_FILES = 20;
/**
 * Exempt: domain/api, which is one list of operations, migrations and decisions, which are only added to, and test/,
 * where suites sit beside what they share.
 */
const exempt = /^(domain\/api|migrations\/.*|docs\/decisions|test\/.*|test)$/;
const notOurs = new Set(['node_modules', 'dist', '.data', '.git', 'histories']);

function folders(path = ''): string[] {
  const below = readdirSync(join(projectFolder, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !notOurs.has(entry.name))
    .flatMap(({ name }) => folders(path === '' ? name : `${path}/${name}`));
  return [path, ...below];
}

const filesIn = (path: string): number =>
  readdirSync(join(projectFolder, path), { withFileTypes: true }).filter((entry) => entry.isFile()).length;

/** The paths in backticks in a document: those that begin with a folder of the project. */
function pathsIn(document: string): string[] {
  const text = readFileSync(join(projectFolder, document), 'utf8');
  const roots = new Set(folders().filter((path) => path !== '' && !path.includes('/')));
  return [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)+\/?)`/g)]
    .map((match) => match[1] ?? '')
    .filter((path) => roots.has(path.split('/')[0] ?? ''));
}

describe('the rooms of the project', () => {
  it(`hold at most ${MAX_FILES} files each`, () => {
    const crowded = folders()
      .filter((path) => !exempt.test(path) && filesIn(path) > MAX_FILES)
      .map((path) => `${path}: ${filesIn(path)}`);
    expect(crowded).to.deep.equal([]);
  });

  for (const document of ['README.md', 'CONTRIBUTING.md', 'docs/architecture.md', 'docs/runbook.md'])
    it(`match the paths in ${document}`, () => {
      const paths = pathsIn(document);
      expect(paths.filter((path) => !existsSync(join(projectFolder, path)))).to.deep.equal([]);
    });
});
