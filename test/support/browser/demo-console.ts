import { jsonClient } from '../../../scripts/demo/client.ts';
import { seedDemo } from '../../../scripts/demo.ts';
import { eva } from './people.ts';
import { type Stack, startStack } from '../services/stack.ts';

let starting: Promise<Stack> | undefined;

async function start(): Promise<Stack> {
  const stack = await startStack({ web: true });
  await seedDemo(stack.settings, () => {});
  const sandbox = jsonClient(stack.addresses.sandbox);
  await sandbox.post(`/admin/tenants/${eva.tenantId}/tenant-integrations`, { reuse: true });
  return stack;
}

/**
 * Services and console with the demonstration in it, for tests that only look. The files that run in this process share
 * it, and it ends with the process.
 */
export const demoConsole = (): Promise<Stack> => (starting ??= start());
