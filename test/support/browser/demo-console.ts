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

/** Services and console with the demonstration in it, for tests that only look; the files of one run share it. */
export const demoConsole = (): Promise<Stack> => (starting ??= start());

// Of the run, since it is no one file's.
after(async () => {
  await (await starting)?.stop();
});
