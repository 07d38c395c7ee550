import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { forget, reap } from '../start/reaper.ts';

export interface Failure {
  fullTitle: string;
  file: string;
  err: { message?: string; stack?: string; code?: string; actual?: string };
}

/** What the tests did; `broken` says why they did nothing. */
export type Result = { failures: Failure[]; passed: number } | { broken: string };

export interface Surroundings {
  environment: NodeJS.ProcessEnv;
  /** What hangs is no test that failed. */
  limitMs: number;
}

/** Whether mocha's process had to be killed, and the end of what it wrote. */
async function mocha(tree: string, args: string[], { environment, limitMs }: Surroundings) {
  const child = spawn(process.execPath, ['node_modules/mocha/bin/mocha.js', '--exit', ...args], {
    cwd: tree,
    env: { ...process.env, ...environment },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { pid } = child;
  if (pid !== undefined) reap(pid, 'SIGTERM');
  let written = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (written = `${written}${chunk.toString()}`.slice(-2000)));
  let hung = false;
  const limit = setTimeout(() => {
    hung = true;
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  }, limitMs);
  await new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('close', () => resolve());
  });
  clearTimeout(limit);
  if (pid !== undefined) forget(pid);
  return { hung, written };
}

/** Runs test files of a tree; `args` are mocha's options and the files. */
export async function runTests(tree: string, args: string[], surroundings: Surroundings): Promise<Result> {
  const report = join(tree, 'report.json');
  rmSync(report, { force: true });
  const options = ['--reporter', 'json', '--reporter-option', `output=${report}`];
  const { hung, written } = await mocha(tree, [...options, ...args], surroundings);
  if (hung) return { broken: `took more than ${surroundings.limitMs / 1000} s` };
  if (!existsSync(report)) return { broken: written.trim() || 'no report' };
  const { stats, failures } = JSON.parse(readFileSync(report, 'utf8')) as {
    stats: { passes: number };
    failures: Failure[];
  };
  return stats.passes + failures.length === 0 ? { broken: 'executed no test' } : { failures, passed: stats.passes };
}

/** Of PostgreSQL: statements that it cannot read, as a badly written change would make them. */
const unreadableSql = /^42(601|703|P01|P02|P08|P10|P18|702|803|804|846|883|725)$/;

/**
 * Whether a test noticed a change, rather than failed because the change is not code: such as could not be parsed at all,
 * or made a service respond with 500 to everything.
 */
export function isNotice({ err }: Failure): boolean {
  const { stack = '', code = '', actual = '' } = err;
  if (/^(SyntaxError|ReferenceError|TransformError)/.test(stack)) return false;
  return !unreadableSql.test(code) && actual !== '500';
}
