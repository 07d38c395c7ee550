import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** A process of a start, distinguished from a later one with the same number by its start time. */
interface Entry {
  name: string;
  pid: number;
  began: string;
}

const STOP_TIMEOUT_MS = 5000;

/** Whether a process with this number exists, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function describe(pid: number): { began: string; command: string } | undefined {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The name in parentheses may contain spaces; state and start time follow it.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (fields[0] === 'Z') return undefined;
      return { began: fields[19] ?? '', command: readFileSync(`/proc/${pid}/cmdline`, 'utf8') };
    }
    const read = (field: string) =>
      execFileSync('ps', ['-p', String(pid), '-o', `${field}=`], { encoding: 'utf8' }).trim();
    return { began: read('lstart'), command: read('command') };
  } catch {
    return undefined;
  }
}

/** Whether the process exists and its command line contains `program`. */
export const isRunning = (pid: number, program: string): boolean => describe(pid)?.command.includes(program) ?? false;

function read(file: string): Entry[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Entry[];
  } catch {
    return [];
  }
}

const survives = ({ pid, began }: Entry) => describe(pid)?.began === began;

/** Records the processes of this start, ourselves first, for the next start to find. */
export function recordProcesses(file: string, processes: { name: string; pid: number }[]): void {
  const all = [{ name: 'start', pid: process.pid }, ...processes];
  const entries = all.flatMap(({ name, pid }) => {
    const found = describe(pid);
    return found ? [{ name, pid, began: found.began }] : [];
  });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, JSON.stringify(entries, null, 2));
  renameSync(`${file}.new`, file);
}

/** The process number of a running start that uses this file, if any. */
export function findRunningStart(file: string): number | undefined {
  return read(file).find((entry) => entry.name === 'start' && survives(entry))?.pid;
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has just exited.
  }
}

/**
 * Ends what a killed start left behind, and waits for it. PostgreSQL is left to its own start, which knows how to
 * stop it.
 * @returns the names of what was ended.
 */
export async function stopSurvivors(file: string): Promise<string[]> {
  const left = read(file).filter((entry) => !['start', 'postgresql'].includes(entry.name) && survives(entry));
  for (const { pid } of left) kill(pid, 'SIGTERM');
  for (const end = Date.now() + STOP_TIMEOUT_MS; left.some(survives) && Date.now() < end;) await setTimeout(50);
  for (const { pid } of left.filter(survives)) kill(-pid, 'SIGKILL');
  while (left.some(survives)) await setTimeout(20);
  return left.map(({ name }) => name);
}
