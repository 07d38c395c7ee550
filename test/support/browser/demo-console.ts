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
 * The services and the console with the demonstration data, for read-only tests. The files that run in this process
 * share it; it ends with the process.
 */
export const demoConsole = (): Promise<Stack> => (starting ??= start());
