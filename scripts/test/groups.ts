import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../start/services.ts';

/** Test files that run together in one mocha process. */
export interface Group {
  name: string;
  files: string[];
  /** Where the machine lacks what all of them need, they count as skipped. */
  mayBeSkipped: boolean;
  /** Runs while the group before it does: most of both is waiting. */
  beside: boolean;
}

const rooms = [
  'domain',
  'db',
  'api',
  'clients',
  'activities',
  'workflows',
  'sandbox',
  'temporal',
  'scripts',
  'web',
  'bench',
];

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
  const apart = ['orders', 'replay', 'browser'].map(isOf);
  const rest = crossing.filter((file) => !apart.some((is) => is(file)));
  const groups: Group[] = [
    { name: 'unit', files: rooms.flatMap(testFiles), mayBeSkipped: false, beside: false },
    { name: 'integration', files: rest, mayBeSkipped: false, beside: false },
    { name: 'orders', files: crossing.filter(isOf('orders')), mayBeSkipped: false, beside: true },
    { name: 'replay', files: crossing.filter(isOf('replay')), mayBeSkipped: false, beside: false },
    { name: 'browser', files: crossing.filter(isOf('browser')), mayBeSkipped: true, beside: false },
  ];
  if (filters.length === 0) return groups;
  return groups
    .map((group) => ({
      ...group,
      files: group.files.filter((file) => filters.some((filter) => file.includes(filter))),
    }))
    .filter(({ files }) => files.length > 0);
}

/** The groups in the order they run, those together that run side by side. */
export function stagesOf(groups: Group[]): Group[][] {
  const stages: Group[][] = [];
  for (const group of groups) {
    const before = stages.at(-1);
    if (group.beside && before) before.push(group);
    else stages.push([group]);
  }
  return stages;
}
