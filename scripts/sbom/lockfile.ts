import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { projectFolder } from '../start/services.ts';

const names = z.record(z.string(), z.string()).default({});

const packageSchema = z.object({
  name: z.string().optional(),
  version: z.string().default(''),
  license: z.string().optional(),
  integrity: z.string().optional(),
  dev: z.boolean().default(false),
  optional: z.boolean().default(false),
  os: z.array(z.string()).optional(),
  cpu: z.array(z.string()).optional(),
  dependencies: names,
  devDependencies: names,
  optionalDependencies: names,
  peerDependencies: names,
});
export type LockedPackage = z.infer<typeof packageSchema>;

/** Every package of package-lock.json by its folder; the project itself is at ''. */
export type Lockfile = ReadonlyMap<string, LockedPackage>;

const schema = z.object({ lockfileVersion: z.literal(3), packages: z.record(z.string(), packageSchema) });

export function readLockfile(): Lockfile {
  const { packages } = schema.parse(JSON.parse(readFileSync(join(projectFolder, 'package-lock.json'), 'utf8')));
  return new Map(Object.entries(packages));
}

const FOLDER = 'node_modules/';

export const nameOf = (path: string, { name }: LockedPackage): string =>
  name ?? path.slice(path.lastIndexOf(FOLDER) + FOLDER.length);

/** Where Node finds a package from the folder of another; undefined if it is not installed, as optional ones may be. */
function find(lockfile: Lockfile, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf(`/${FOLDER}`)))) {
    const path = folder === '' ? `${FOLDER}${name}` : `${folder}/${FOLDER}${name}`;
    if (lockfile.has(path)) return path;
    if (folder === '') return undefined;
  }
}

/** The folders of what a package needs, peers included: npm installs those as well. */
export function neededBy(lockfile: Lockfile, path: string, which = lockfile.get(path)): string[] {
  const needed = { ...which?.peerDependencies, ...which?.optionalDependencies, ...which?.dependencies };
  return Object.keys(needed).flatMap((name) => find(lockfile, path, name) ?? []);
}

/** A package's folder with those of everything that it needs, directly or not. */
export function closureOf(lockfile: Lockfile, paths: readonly string[]): Set<string> {
  const found = new Set<string>();
  const open = [...paths];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    open.push(...neededBy(lockfile, path));
  }
  return found;
}
