import { rmSync } from 'node:fs';
import type { Child } from './child.ts';
import { recordProcesses } from './survivors.ts';

/** The processes of this start, in the order in which they started. */
export interface Running {
  /** Takes charge of a process as it starts; ends it at once if the shutdown has begun. One that `mayEnd` is no failure then. */
  add(start: Promise<Child>, how?: { mayEnd?: boolean }): Promise<Child>;
  /** Rejects with the name and last lines of the first process that exits by itself. */
  failed: Promise<never>;
  /** Aborted as the shutdown begins. */
  ending: AbortSignal;
  /** Services first and together, then the servers they use. */
  stop(): Promise<void>;
}

const servers = new Set(['temporal', 'postgresql']);

/** @param file where the processes are recorded for the next start. */
export function createRunning(file: string): Running {
  let children: Child[] = [];
  let stopping: Promise<void> | undefined;
  let fail: (error: Error) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  failed.catch(() => {});
  const ending = new AbortController();

  const reportEnd = async (child: Child): Promise<void> => {
    const { code, signal } = await child.exited;
    if (stopping) return;
    const how = signal ? `by ${signal}` : `with code ${code}`;
    fail(new Error(`${child.name} ended unexpectedly ${how}; the end of ${child.logFile}:\n${child.tail()}`));
  };

  const stopAll = async () => {
    ending.abort();
    const isServer = ({ name }: Child) => servers.has(name);
    await Promise.all(children.filter((child) => !isServer(child)).map((child) => child.stop()));
    await Promise.all(children.filter(isServer).map((child) => child.stop()));
    rmSync(file, { force: true });
  };

  return {
    failed,
    ending: ending.signal,
    add: async (start, { mayEnd = false } = {}) => {
      const child = await start;
      children = [...children.filter((one) => one.running()), child];
      if (stopping) {
        await child.stop();
        return child;
      }
      recordProcesses(file, children);
      if (!mayEnd) void reportEnd(child);
      return child;
    },
    stop: () => (stopping ??= stopAll()),
  };
}
