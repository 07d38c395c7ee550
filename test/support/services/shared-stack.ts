import { jsonClient } from '#scripts/demo/client.ts';
import { type Stack, startStack } from './stack.ts';

/** How the sandbox is when it has just started. */
const asStarted = {
  startDelayMs: 800,
  sendDurationMs: 4000,
  readDelayMs: 20_000,
  governanceShare: 0.02,
  failedShare: 0.01,
  readShare: 0.6,
  taskFailureShare: 0,
  seed: 1,
};

let starting: Promise<Stack> | undefined;
let tenants = 0;

/** An id that no other tenant of the shared stack has. */
export const freshTenantId = (): string => `tenant-${(tenants += 1)}`;

/**
 * The services that the files of this process use one after the other, since starting them takes ten seconds of a
 * processor. Each file has a tenant of its own there, and neither ends nor restarts a service. They end with the process.
 */
export async function sharedStack(): Promise<Stack> {
  const stack = await (starting ??= startStack({ web: true }));
  const sandbox = jsonClient(stack.addresses.sandbox);
  await sandbox.put('/sandbox/faults', { faults: [] });
  await sandbox.put('/sandbox/behaviour', asStarted);
  return stack;
}
