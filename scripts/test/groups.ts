import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../start/services.ts';

/** Test files that run together in one mocha process. */
export interface Group {
  name: string;
  files: string[];
  /** Where the machine lacks what all of them need, they count as skipped. */
  mayBeSkipped: boolean;
}

const rooms = ['domain', 'db', 'api', 'activities', 'workflows', 'sandbox', 'temporal', 'scripts', 'web', 'bench'];

function testFiles(folder: string): string[] {
  const full = join(projectFolder, folder);
  if (!existsSync(full)) return [];
  return readdirSync(full, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !/(^|[\\/])node_modules[\\/]/.test(file))
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .toSorted();
}

/** Every test file, grouped; with filters those whose path holds one of them, and only groups that have any. */
export function findGroups(filters: string[]): Group[] {
  const crossing = testFiles('test');
  const isOf = (folder: string) => (file: string) => file.startsWith(`test/${folder}/`);
  const own = (file: string) => !isOf('replay')(file) && !isOf('browser')(file);
  const groups: Group[] = [
    { name: 'unit', files: rooms.flatMap(testFiles), mayBeSkipped: false },
    { name: 'integration', files: crossing.filter(own), mayBeSkipped: false },
    { name: 'replay', files: crossing.filter(isOf('replay')), mayBeSkipped: false },
    { name: 'browser', files: crossing.filter(isOf('browser')), mayBeSkipped: true },
  ];
  if (filters.length === 0) return groups;
  return groups
    .map((group) => ({
      ...group,
      files: group.files.filter((file) => filters.some((filter) => file.includes(filter))),
    }))
    .filter(({ files }) => files.length > 0);
}
