import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { elapsed } from '../start/progress.ts';
import { forget, reap } from '../start/reaper.ts';
import { projectFolder } from '../start/services.ts';
import type { Group } from './groups.ts';

export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  /** What failed and why, one text each. */
  failures: string[];
}

const noCounts: Counts = { passed: 0, failed: 0, skipped: 0, failures: [] };

/** The counts with one failure more. */
export const withFailure = (reason: string, counts: Counts = noCounts): Counts => ({
  ...counts,
  failed: counts.failed + 1,
  failures: [...counts.failures, reason],
});

const GROUP_TIMEOUT_MS = 15 * 60_000;
/** How long a process may stay after its last test. */
const LINGER_MS = 15_000;
const reporter = join(projectFolder, 'scripts/test/reporter.cjs');

/** A program of ours in a group of its own; it ends with us. */
function launch(args: string[], environment: NodeJS.ProcessEnv, output: 'inherit' | 'pipe'): ChildProcess {
  const child = spawn(process.execPath, args, {
    cwd: projectFolder,
    env: { ...process.env, ...environment },
    detached: true,
    stdio: ['ignore', output, output],
  });
  const { pid } = child;
  if (pid !== undefined) {
    reap(pid, 'SIGTERM');
    child.once('exit', () => forget(pid));
  }
  return child;
}

const ended = (child: ChildProcess): Promise<number> =>
  new Promise((resolve) => {
    child.once('error', () => resolve(1));
    child.once('close', (code) => resolve(code ?? 1));
  });

/** Lint and types: quiet where they pass. */
export async function runCheck(name: string, args: string[]): Promise<Counts> {
  const start = Date.now();
  const child = launch(args, {}, 'pipe');
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const passed = (await ended(child)) === 0;
  console.log(`${passed ? '✔' : '✘'} ${name} (${elapsed(start)})`);
  if (passed) return { ...noCounts, passed: 1 };
  console.log(output.trimEnd());
  return withFailure(name);
}

/** Kills a process that does not end after its last test: something was left open. */
async function waitForEnd(child: ChildProcess, reportFile: string): Promise<{ code: number; hung: boolean }> {
  let hung = false;
  const kill = () => {
    hung = true;
    child.kill('SIGKILL');
  };
  const limit = setTimeout(kill, GROUP_TIMEOUT_MS);
  let linger: NodeJS.Timeout | undefined;
  const watch = setInterval(() => {
    if (existsSync(reportFile)) linger ??= setTimeout(kill, LINGER_MS);
  }, 500);
  const code = await ended(child);
  clearTimeout(limit);
  clearTimeout(linger);
  clearInterval(watch);
  return { code, hung };
}

/** Runs the group's files in one mocha process; whatever ends it without a report counts as one failure. */
export async function runGroup(group: Group, mochaOptions: string[], environment: NodeJS.ProcessEnv): Promise<Counts> {
  console.log(`\n— ${group.name}: ${group.files.length} files`);
  const failure = (reason: string, counts?: Counts) => withFailure(`${group.name}: ${reason}`, counts);
  if (group.files.length === 0) return failure('there is no test');
  const folder = mkdtempSync(join(tmpdir(), 'outreach-platform-report-'));
  const reportFile = join(folder, 'report.json');
  try {
    const mocha = ['node_modules/mocha/bin/mocha.js', '--reporter', reporter, '--forbid-only', ...mochaOptions];
    const child = launch([...mocha, ...group.files], { ...environment, TEST_REPORT_FILE: reportFile }, 'inherit');
    const { code, hung } = await waitForEnd(child, reportFile);
    if (!existsSync(reportFile)) return failure(hung ? 'took too long' : `ended with code ${code} before its report`);
    const counts = JSON.parse(readFileSync(reportFile, 'utf8')) as Counts;
    if (hung) return failure('did not end after its last test: something was left open', counts);
    const executed = counts.passed + counts.failed + (group.mayBeSkipped ? counts.skipped : 0);
    if (executed === 0) return failure('executed no test', counts);
    return code !== 0 && counts.failed === 0 ? failure(`ended with code ${code}`, counts) : counts;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
