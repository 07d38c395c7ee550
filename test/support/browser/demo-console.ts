import { jsonClient } from '../../../scripts/demo/client.ts';
import { seedDemo } from '../../../scripts/demo.ts';
import { type Stack, startStack } from '../services/stack.ts';

export interface Person {
  sub: string;
  name: string;
  tenantId: string;
  serviceNumberId: string;
  roles: string[];
}

const roles = ['tenant_admin', 'order_admin'];

/** The administrator of the demonstration's tenant, who has some of everything. */
export const ada: Person = {
  sub: 'ada',
  name: 'Ada Lin',
  tenantId: 'harbor-coffee',
  serviceNumberId: 'sn-harbor',
  roles,
};

/** The administrator of a tenant that was installed this minute. */
export const eva: Person = {
  sub: 'eva',
  name: 'Eva Sato',
  tenantId: 'lumen-books',
  serviceNumberId: 'sn-lumen',
  roles,
};

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
