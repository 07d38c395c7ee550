import { expect } from 'chai';
import { connect } from '#db/connection.ts';
import { rows } from '#db/database.ts';
import { type JsonClient, jsonClient } from '#scripts/demo/client.ts';
import { useStack } from '../support/fixtures/stack.ts';
import { sandboxToken } from '../support/services/sandbox-token.ts';
import { eventually } from '../support/time/eventually.ts';
import { installWithContacts, sendTwentySubTasks, subTaskCount } from './twenty-sub-tasks.ts';

interface Deliveries {
  items: { eventId: string; status: string; lastStatus?: number | null }[];
}

/** How soon everything writes again. */
const WRITES_WITHIN = { timeoutMs: 10_000 };

describe('PostgreSQL takes no writes for a while, in the middle of a send', function () {
  this.timeout(180_000);
  const stack = useStack();
  const services = ['bff', 'backend', 'orders'] as const;
  let sandbox: JsonClient;
  let token: string;

  before(async () => {
    sandbox = jsonClient(stack.addresses.sandbox);
    await installWithContacts(sandbox, stack.addresses.bff, stack.database.connect('outreach'));
    token = await sandboxToken(sandbox, { sub: 'kim', tenantId: 'crash', roles: ['tenant_admin', 'order_admin'] });
  });
  afterEach(function () {
    if (this.currentTest?.isFailed()) process.stdout.write(`${stack.logs()}\n`);
  });

  /** What new sessions begin with; those that there are end, as in a failover. */
  async function failOver(to: string): Promise<void> {
    const { DATABASE_URL: url } = stack.database;
    const owner = connect({ url, schema: 'outreach', applicationName: 'operator', pool: { max: 1 } });
    try {
      await owner.raw('set default_transaction_read_only = off');
      await owner.raw(`alter database ?? ${to}`, [new URL(url).pathname.slice(1)]);
      if (to.startsWith('set'))
        await owner.raw(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        );
    } finally {
      await owner.destroy();
    }
  }

  const readiness = () =>
    Promise.all(services.map(async (name) => (await fetch(`${stack.addresses[name]}/readyz`)).status));

  async function call(
    method: string,
    url: string,
    body: object,
  ): Promise<{ status: number; retryAfter: string | null }> {
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
    const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
    await response.text();
    return { status: response.status, retryAfter: response.headers.get('retry-after') };
  }
  let named = 0;
  /** A write of each service that people see; the first two go through the BFF. */
  const writes = () => {
    named += 1;
    const tenant = { name: `Crash ${named}`, businessType: 1 };
    const { bff, orders } = stack.addresses;
    return Promise.all([
      call('POST', `${bff}/api/v1/tags`, { serviceNumberId: 'sn-crash', name: `tag ${named}`, kind: 'permanent' }),
      call('PUT', `${bff}/transaction/v1/admin/tenants/crash`, tenant),
      call('PUT', `${orders}/transaction/v1/admin/tenants/crash`, tenant),
    ]);
  };
  const follow = (contactId: string) =>
    sandbox.post<{ eventId: string }>('/sandbox/webhooks', {
      tenant: 'crash',
      serviceNumberId: 'sn-crash',
      eventType: 'contact.followed',
      data: { contactId, serviceNumberId: 'sn-crash', displayName: 'New' },
    });

  it('is unavailable everywhere meanwhile, and everything writes again within 10 s', async () => {
    const slow = [{ route: 'A1', mode: 'slow', delayMs: 300 }];
    const sent = await sendTwentySubTasks(stack.addresses.sandbox, stack.addresses.bff, slow);
    await eventually('some sub-tasks are accepted', async () => (await sent.acceptedCalls()).length >= 4);
    await failOver('set default_transaction_read_only = on');
    await eventually('nothing is ready', async () => (await readiness()).every((status) => status === 503));
    for (let round = 0; round < 5; round += 1)
      expect(await writes()).to.deep.equal(services.map(() => ({ status: 503, retryAfter: '1' })));
    const { eventId } = await follow('sn-crash-new-1');
    await eventually('the webhook is not taken', async () => {
      const { items } = await sandbox.get<Deliveries>('/sandbox/deliveries');
      return items.some((delivery) => delivery.eventId === eventId && delivery.lastStatus === 503);
    });

    await failOver('reset default_transaction_read_only');
    await eventually(
      'everything is ready',
      async () => (await readiness()).every((status) => status === 200),
      WRITES_WITHIN,
    );
    await eventually(
      'everything writes',
      async () => (await writes()).every(({ status }) => status < 300),
      WRITES_WITHIN,
    );
    for (let round = 0; round < 5; round += 1)
      expect((await writes()).map(({ status }) => status)).to.deep.equal([201, 200, 200]);
    const settled = await sent.settled();
    expect(settled.filter(({ status }) => status === 'completed')).to.have.length(subTaskCount);
    await follow('sn-crash-new-2');
    await eventually('both events are handled', async () => {
      const found = await rows(
        stack.database.connect('outreach'),
        `select from contact_profile where contact_id like 'sn-crash-new-%'`,
        {},
      );
      return found.length === 2;
    });
  });
});
