import { join } from 'node:path';
import { type Child, startChild } from '#scripts/start/child.ts';
import { freePort } from '#scripts/start/ports.ts';
import { projectFolder } from '#scripts/start/services.ts';
import type { Stack } from '#test/support/services/stack.ts';
import { eventually } from '#test/support/time/eventually.ts';

/** Starts a server of this folder beside the stack, and waits until it responds. */
export async function startFloor(
  stack: Stack,
  name: string,
  env: Record<string, string>,
): Promise<{ child: Child; url: string }> {
  const port = await freePort();
  const child = await startChild({
    name,
    command: process.execPath,
    args: ['--import', 'tsx', join(projectFolder, `bench/floors/${name}.ts`)],
    env: { PATH: process.env['PATH'], PORT: String(port), ...env },
    logFile: join(stack.dataFolder, 'logs', `${name}.log`),
    background: true,
  });
  const url = `http://127.0.0.1:${port}`;
  const responds = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  await eventually(`${name} listens`, responds, { timeoutMs: 60_000 }).catch((error: unknown) => {
    throw new Error(`${name} did not start:\n${child.tail()}`, { cause: error });
  });
  return { child, url };
}
