import { readdirSync, readFileSync } from 'node:fs';
import { firstRow, type Database } from '../db/database.ts';

/** USER_HZ, which is 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** The fields of `/proc/PID/stat` from the third on; null if there is no such process. */
function statOf(pid: number | string): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in parentheses, may contain spaces.
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

const parentOf = (pid: number | string): number => Number(statOf(pid)?.[1]);

/** Seconds of processor time of a process, and of its children that have ended. */
export function processorSeconds(pid: number): number {
  const ticks = statOf(pid)?.slice(11, 15) ?? [];
  return ticks.reduce((sum, value) => sum + Number(value), 0) / TICKS_PER_SECOND;
}

/** The same of a server and of each of its processes. */
export function treeSeconds(root: number): number {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && parentOf(name) === root);
  return [root, ...children.map(Number)].reduce((sum, pid) => sum + processorSeconds(pid), 0);
}

/** The process that started the one of this connection. */
export async function postgresPid(database: Database): Promise<number> {
  const backend = await firstRow<{ pid: number }>(database, 'select pg_backend_pid() as pid', {});
  return parentOf(backend?.pid ?? 0);
}
