import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { forget, reap } from './reaper.ts';

export interface ChildOptions {
  name: string;
  command: string;
  args: string[];
  /** The file to which all output of the process is appended. */
  logFile: string;
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  uid?: number | undefined;
  gid?: number | undefined;
  /** The signal that asks it to exit. */
  stopSignal?: NodeJS.Signals;
  /** How long it may take before it is killed, in milliseconds. */
  stopTimeoutMs?: number;
  /** With a channel, on which `send` reaches it until it disconnects. */
  channel?: boolean;
  /** For tests: a running child does not keep this process alive. */
  background?: boolean;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface Child {
  name: string;
  pid: number;
  logFile: string;
  /** Resolves when the process has exited, for whatever reason. */
  exited: Promise<Exit>;
  running(): boolean;
  kill(signal: NodeJS.Signals): void;
  /** Throws if it has no channel. */
  send(message: object): void;
  /** Asks it to exit, waits, and kills it if it does not; safe to call repeatedly. */
  stop(): Promise<void>;
  tail(lines?: number): string;
}

/** The last lines of a file; empty if there is none. */
export function lastLines(file: string, count: number): string {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count).join('\n');
  } catch {
    return '';
  }
}

const LOG_LIMIT_BYTES = 20_000_000;

/** Opened for appending; a file that has grown large is renamed to `.1`, so that logs never fill the disk. */
function openLog(file: string): number {
  mkdirSync(dirname(file), { recursive: true });
  if (existsSync(file) && statSync(file).size > LOG_LIMIT_BYTES) renameSync(file, `${file}.1`);
  return openSync(file, 'a');
}

/**
 * Starts a process in its own group, so that Ctrl-C in a terminal reaches only us and we choose the shutdown
 * order. Its reaper ends it if we are killed.
 * @throws Error if the command cannot be started.
 */
export async function startChild(options: ChildOptions): Promise<Child> {
  const { name, command, args, logFile, stopSignal = 'SIGTERM', stopTimeoutMs = 8000 } = options;
  const log = openLog(logFile);
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: options.env ?? process.env,
    uid: options.uid,
    gid: options.gid,
    detached: true,
    stdio: ['ignore', log, log, ...(options.channel ? (['ipc'] as const) : [])],
  });
  closeSync(log);
  const exited = new Promise<Exit>((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => reject(new Error(`${name} failed to start: ${error.message}`)));
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${name} failed to start`);
  reap(pid, stopSignal);
  child.once('exit', () => forget(pid));
  if (options.background) child.unref();

  const running = () => child.exitCode === null && child.signalCode === null;
  return {
    name,
    pid,
    logFile,
    exited,
    running,
    kill: (signal) => void child.kill(signal),
    send: (message) => {
      if (!child.send) throw new Error(`${name} has no channel`);
      child.send(message);
    },
    stop: async () => {
      if (!running()) return;
      child.ref();
      child.kill(stopSignal);
      const timer = setTimeout(() => killGroup(pid), stopTimeoutMs);
      await exited;
      clearTimeout(timer);
    },
    tail: (lines = 15) => lastLines(logFile, lines),
  };
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has just exited.
  }
}

/**
 * Runs a program to its end.
 * @throws Error with the last line of its output if it fails or takes longer than `timeoutMs`.
 */
export async function runTool(options: ChildOptions & { timeoutMs: number }): Promise<void> {
  const child = await startChild(options);
  const timer = setTimeout(() => void child.stop(), options.timeoutMs);
  const { code } = await child.exited;
  clearTimeout(timer);
  if (code !== 0) throw new Error(`${options.name}: ${child.tail(1).slice(0, 300) || `exited with ${code}`}`);
}
