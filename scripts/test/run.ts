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

/** What each file counted, by its path; what a group's process as a whole did wrong, by the group's name. */
export type Outcome = Record<string, Counts>;

const noCounts: Counts = { passed: 0, failed: 0, skipped: 0, failures: [] };

export const failure = (reason: string): Counts => ({ ...noCounts, failed: 1, failures: [reason] });

export const sum = (all: Counts[]): Counts => ({
  passed: all.reduce((total, { passed }) => total + passed, 0),
  failed: all.reduce((total, { failed }) => total + failed, 0),
  skipped: all.reduce((total, { skipped }) => total + skipped, 0),
  failures: all.flatMap(({ failures }) => failures),
});

export const sumOf = (outcome: Outcome): Counts => sum(Object.values(outcome));

export function merge(outcomes: Outcome[]): Outcome {
  const all: Outcome = {};
  for (const [path, counts] of outcomes.flatMap(Object.entries<Counts>))
    all[path] = sum([all[path] ?? noCounts, counts]);
  return all;
}

const GROUP_TIMEOUT_MS = 30 * 60_000;
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

/** What a piped program has said so far. */
function collectOutput({ stdout, stderr }: ChildProcess): () => string {
  const chunks: Buffer[] = [];
  for (const stream of [stdout, stderr]) stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString().trimEnd();
}

/** Lint and types: quiet where they pass. */
export async function runCheck(name: string, args: string[]): Promise<Counts> {
  const start = Date.now();
  const child = launch(args, {}, 'pipe');
  const output = collectOutput(child);
  const passed = (await ended(child)) === 0;
  console.log(`${passed ? '✔' : '✘'} ${name} (${elapsed(start)})`);
  if (passed) return { ...noCounts, passed: 1 };
  console.log(output());
  return failure(name);
}

/** Kills a process that does not end after its last test: something was left open. */
async function waitForEnd(child: ChildProcess, reportFile: string): Promise<{ code: number; hung: boolean }> {
  let hung = false;
  const kill = () => {
    hung = true;
    // mocha starts a process of its own, which would stay and keep our pipe open.
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
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

/** What a mocha process counted; whatever ended it without a report, or kept it from ending, is one failure. */
async function readReport(child: ChildProcess, reportFile: string, { name, mayBeSkipped }: Group): Promise<Outcome> {
  const { code, hung } = await waitForEnd(child, reportFile);
  const reported = existsSync(reportFile);
  const files: Outcome = reported ? (JSON.parse(readFileSync(reportFile, 'utf8')) as Outcome) : {};
  const but = (reason: string): Outcome => ({ ...files, [name]: failure(`${name}: ${reason}`) });
  if (!reported) return but(hung ? 'took too long' : `ended with code ${code} before its report`);
  if (hung) return but('did not end after its last test: something was left open');
  const { passed, failed, skipped } = sumOf(files);
  if (passed + failed + (mayBeSkipped ? skipped : 0) === 0) return but('executed no test');
  return code !== 0 && failed === 0 ? but(`ended with code ${code}`) : files;
}

export interface Run {
  mochaOptions: string[];
  environment: NodeJS.ProcessEnv;
  /** Whether it speaks while it runs: one of those that run side by side does, the others at their end. */
  live: boolean;
}

/** Runs the group's files in one mocha process. */
export async function runGroup(group: Group, { mochaOptions, environment, live }: Run): Promise<Outcome> {
  if (group.files.length === 0) return { '': failure(`${group.name}: there is no test`) };
  const start = Date.now();
  const begin = `\n— ${group.name}: ${group.files.length} files`;
  const folder = mkdtempSync(join(tmpdir(), 'outreach-platform-report-'));
  const reportFile = join(folder, 'report.json');
  const mocha = ['node_modules/mocha/bin/mocha.js', '--reporter', reporter, '--forbid-only', ...mochaOptions];
  try {
    if (live) console.log(begin);
    const output = live ? 'inherit' : 'pipe';
    const child = launch([...mocha, ...group.files], { ...environment, TEST_REPORT_FILE: reportFile }, output);
    const said = collectOutput(child);
    const outcome = await readReport(child, reportFile, group);
    if (!live) console.log(`${begin}\n${said()}`);
    console.log(`— ${group.name}: ${elapsed(start)}`);
    return outcome;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
