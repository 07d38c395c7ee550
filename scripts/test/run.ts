import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '#test/support/servers/servers.ts';
import { elapsed } from '../start/progress.ts';
import { forget, reap } from '../start/reaper.ts';
import { projectFolder } from '../start/services.ts';
import { lanes } from './spare-lane.ts';

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  /** What failed and why, one text each. */
  failures: string[];
  /** What was skipped. */
  skips: string[];
  /** Of all tests and hooks. */
  seconds: number;
}

/** What each file counted, by its path. */
export type Outcome = Record<string, Counts>;

const noCounts: Counts = { passed: 0, failed: 0, skipped: 0, failures: [], skips: [], seconds: 0 };

export const failure = (reason: string): Counts => ({ ...noCounts, failed: 1, failures: [reason] });

export const sum = (all: Counts[]): Counts =>
  all.reduce(
    (total, counts) => ({
      passed: total.passed + counts.passed,
      failed: total.failed + counts.failed,
      skipped: total.skipped + counts.skipped,
      failures: [...total.failures, ...counts.failures],
      skips: [...total.skips, ...counts.skips],
      seconds: total.seconds + counts.seconds,
    }),
    noCounts,
  );

/** `npm run test:all` sets it. */
const RUN_TIMEOUT_MS = Number(process.env['TEST_TIMEOUT_MINUTES'] ?? 80) * 60_000;

/** Starts Node in a process group of its own, which ends with us. */
function launch(args: string[], environment: NodeJS.ProcessEnv, output: 'inherit' | 'pipe'): ChildProcess {
  const env = { ...process.env, ...environment };
  const stdio = ['ignore' as const, output, output];
  const child = spawn(process.execPath, args, { cwd: projectFolder, env, detached: true, stdio });
  const { pid } = child;
  if (pid !== undefined) {
    reap(pid, 'SIGTERM');
    child.once('exit', () => forget(pid));
  }
  return child;
}

/** The exit code; null where the process group had to be killed. */
async function endOf(child: ChildProcess): Promise<number | null> {
  let hung = false;
  const limit = setTimeout(() => {
    hung = true;
    // mocha and its workers are processes of their own, which would stay.
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, RUN_TIMEOUT_MS);
  const code = await new Promise<number>((resolve) => {
    child.once('error', () => resolve(1));
    child.once('close', (given) => resolve(given ?? 1));
  });
  clearTimeout(limit);
  return hung ? null : code;
}

/** Lint or types: quiet where it passes. */
export async function runCheck(name: string, args: string[]): Promise<Counts> {
  const start = Date.now();
  const child = launch(args, {}, 'pipe');
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  const passed = (await endOf(child)) === 0;
  console.log(`${passed ? '✔' : '✘'} ${name} (${elapsed(start)})`);
  if (passed) return { ...noCounts, passed: 1 };
  console.log(Buffer.concat(chunks).toString().trimEnd());
  return failure(name);
}

export interface Run {
  mochaOptions: string[];
  environment: NodeJS.ProcessEnv;
}

/** Runs the files with mocha. A run that hangs, breaks off or executes nothing is one failure, by the name `mocha`. */
export async function runFiles(files: string[], { mochaOptions, environment }: Run): Promise<Outcome> {
  const reportFile = join(temporaryFolder(), 'report.json');
  const parallel = ['--parallel', '--jobs', String(lanes), '--require', './scripts/test/spare-lane.ts'];
  const options = [...parallel, '--exit', '--reporter', 'scripts/test/reporter.cjs'];
  const args = ['node_modules/mocha/bin/mocha.js', ...options, ...mochaOptions, ...files];
  const code = await endOf(launch(args, { ...environment, TEST_REPORT_FILE: reportFile }, 'inherit'));
  const reported = existsSync(reportFile);
  const outcome: Outcome = reported ? (JSON.parse(readFileSync(reportFile, 'utf8')) as Outcome) : {};
  const but = (reason: string): Outcome => ({ ...outcome, mocha: failure(`mocha ${reason}`) });
  if (code === null) return but('took too long');
  if (!reported) return but(`ended with code ${code} before its report`);
  const { passed, failed, skipped } = sum(Object.values(outcome));
  if (passed + failed + skipped === 0) return but('executed no test');
  return code !== 0 && failed === 0 ? but(`ended with code ${code}`) : outcome;
}
