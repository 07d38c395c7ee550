import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectFolder } from '../start/services.ts';

/** Tests and generated type declarations do not affect any build. */
const irrelevant = /\.test\.ts$|\.d\.ts$|(^|\/)(node_modules|dist)(\/|$)/;

function filesOf(path: string): string[] {
  const full = join(projectFolder, path);
  if (!existsSync(full) || irrelevant.test(path)) return [];
  if (statSync(full).isFile()) return [path];
  return readdirSync(full)
    .toSorted()
    .flatMap((name) => filesOf(`${path}/${name}`));
}

/** A digest of the contents of files and folders (relative to the project); when it changes, a rebuild is needed. */
export function digest(paths: string[]): string {
  const hash = createHash('sha256');
  for (const file of paths.flatMap(filesOf)) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(projectFolder, file)))
      .update('\0');
  }
  return hash.digest('hex');
}

/** What is built, the digest it was built from, and how to build it. */
export interface Target {
  name: string;
  /** Relative to the project. */
  output: string;
  inputs: string[];
  /** `npm run build` makes it only if asked for it by name. */
  forDevelopment?: true;
  build(): Promise<void>;
}

const stampOf = (target: Target): string => join(projectFolder, 'dist', `.${target.name}.digest`);

/** Whether the output exists and was built from the current inputs. */
export function isCurrent(target: Target): boolean {
  const stamp = stampOf(target);
  return (
    existsSync(join(projectFolder, target.output)) &&
    existsSync(stamp) &&
    readFileSync(stamp, 'utf8') === digest(target.inputs)
  );
}

/** Builds if an input has changed. @returns whether it had to. */
export async function buildIfChanged(target: Target): Promise<boolean> {
  if (isCurrent(target)) return false;
  // Taken before the build: edits made meanwhile require the next one.
  const inputs = digest(target.inputs);
  await target.build();
  mkdirSync(dirname(stampOf(target)), { recursive: true });
  writeFileSync(stampOf(target), inputs);
  return true;
}
