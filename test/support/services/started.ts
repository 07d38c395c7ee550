import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '#scripts/start/ports.ts';
import { reap } from '#scripts/start/reaper.ts';
import { projectFolder } from '#scripts/start/services.ts';
import { isAlive } from '#scripts/start/survivors.ts';
import { eventually } from '../time/eventually.ts';

export interface Started {
  pid: number;
  output(): string;
  exited: Promise<number | null>;
}

/** What is started, if it is not this checkout by the Node that runs the tests. */
export interface Checkout {
  node: string;
  folder: string;
  /** `scripts/start.mjs` where absent. */
  script?: string;
}

const ours: Checkout = { node: process.execPath, folder: projectFolder };

/** `npm start`, or another script, as a user's shell runs it, in its own process group. */
export function start(
  environment: Record<string, string>,
  { node, folder, script = 'scripts/start.mjs' }: Checkout = ours,
): Started {
  const child = spawn(node, [script], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DEMO: 'off', ...environment },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
  if (child.pid === undefined) throw new Error('could not be started');
  reap(child.pid, 'SIGTERM');
  return {
    pid: child.pid,
    output: () => text,
    exited: new Promise((resolve) => child.once('close', (code) => resolve(code))),
  };
}

/** Starts and waits for `ready`; rejects with all its output if it ends before that. */
export async function startUntilReady(
  environment: Record<string, string>,
  { checkout, timeoutMs = 120_000 }: { checkout?: Checkout; timeoutMs?: number } = {},
): Promise<Started> {
  const started = start(environment, checkout);
  await eventually(
    'it is ready',
    () => {
      if (/^ready$/m.test(started.output())) return true;
      if (!isAlive(started.pid)) throw new Error(started.output());
      return false;
    },
    { timeoutMs, intervalMs: 100 },
  );
  return started;
}

/** Settings with a free port for each part that `npm start` starts. */
export async function ownPorts(): Promise<Record<string, string>> {
  const services = ['BFF', 'BACKEND', 'ORDERS'];
  const names = [...services.flatMap((name) => [`${name}_PORT`, `METRICS_PORT_${name}`]), 'SANDBOX_PORT'];
  const own = [...names, 'EMBEDDED_POSTGRES_PORT', 'EMBEDDED_TEMPORAL_PORT'];
  const ports = await Promise.all([...own, 'ui'].map(() => freePort()));
  const entries = own.map((name, index) => [name, String(ports[index])]);
  return { ...Object.fromEntries(entries), TEMPORAL_UI_URL: `http://127.0.0.1:${ports.at(-1)}` };
}

/** What is running for a start with this DATA_DIR. */
export function processesOf(folder: string): { name: string; pid: number }[] {
  const file = join(folder, 'run/processes.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { name: string; pid: number }[]) : [];
}

/** Waits until all of the processes have ended. */
export const expectGone = (pids: number[]): Promise<unknown> =>
  eventually('every process is gone', () => pids.every((pid) => !isAlive(pid)), { timeoutMs: 30_000 });
