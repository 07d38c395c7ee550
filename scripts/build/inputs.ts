import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectFolder } from '../start/services.ts';
import { fetchBuild, leaveBuild } from './shared.ts';

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
  /** Takes so long that the checkouts of a user share it. Nothing in it may name the checkout's folder. */
  shared?: true;
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

async function make(target: Target, inputs: string): Promise<void> {
  const output = join(projectFolder, target.output);
  if (target.shared && fetchBuild(target.name, inputs, output)) return;
  await target.build();
  // Edits made meanwhile may be in it.
  if (target.shared && digest(target.inputs) === inputs) leaveBuild(target.name, inputs, output);
}

/** Builds if an input has changed. @returns whether it had to. */
export async function buildIfChanged(target: Target): Promise<boolean> {
  if (isCurrent(target)) return false;
  // Taken before the build: edits made meanwhile require the next one.
  const inputs = digest(target.inputs);
  await make(target, inputs);
  mkdirSync(dirname(stampOf(target)), { recursive: true });
  writeFileSync(stampOf(target), inputs);
  return true;
}
