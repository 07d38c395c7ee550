import { join } from 'node:path';
import type { Child } from '../start/child.ts';
import { startChild } from '../start/child.ts';
import { say } from '../start/bring-up.ts';
import type { Running } from '../start/running.ts';
import { heapFlags, memorySettings, projectFolder, serviceAddress, waitUntilServing } from '../start/services.ts';
import { dataPaths, type StartSettings } from '../start/settings.ts';
import type { ServiceBuild, WatchedService } from './builds.ts';

/** Nobody's work is lost by a developer's restart that cannot be done again. */
const STOP_TIMEOUT_MS = 3000;

const standby = join(projectFolder, 'scripts/dev/standby.mjs');

/** A service that is replaced by its newest build. */
export interface DevService {
  /** Ends it and starts the build that there is now. Says so, and also if that does not come up: the next build may. */
  replace(): Promise<void>;
}

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export function createDevService(
  name: WatchedService,
  { build, start, running }: { build: ServiceBuild; start: StartSettings; running: Running },
): DevService {
  const address = serviceAddress(name, start.settings);
  let current: Child | undefined;
  let next: Promise<Child> | undefined;

  /** A process that only has to load the service's own file. */
  async function prepare(): Promise<Child> {
    const started = startChild({
      name,
      command: process.execPath,
      args: [...heapFlags, '--enable-source-maps', standby],
      cwd: projectFolder,
      env: { ...memorySettings, ...start.environment },
      logFile: dataPaths(start.dataFolder).log(name),
      stopTimeoutMs: STOP_TIMEOUT_MS,
      channel: true,
    });
    const child = await running.add(started, { mayEnd: true });
    child.send({ packages: build.packages() });
    return child;
  }

  async function replace(): Promise<void> {
    const began = performance.now();
    const [child] = await Promise.all([next ?? prepare(), current?.stop()]);
    next = undefined;
    current = child;
    try {
      child.send({ program: build.program });
      await waitUntilServing(child, name, address);
      say(`${name} is up at ${address} after ${((performance.now() - began) / 1000).toFixed(1)} s`);
    } catch (error) {
      say(`${name} did not come up, and is started again with the next change: ${reason(error)}`);
    }
    next = prepare();
    // A standby that cannot be started is noticed when it is needed.
    next.catch(() => {});
  }

  let last = Promise.resolve();
  return { replace: () => (last = last.then(replace)) };
}
