import { expect } from 'chai';
import { type Database, firstRow } from '#db/database.ts';
import { storeEvents } from '#db/outreach/inbox/intake.ts';
import { createLauncher } from '#api/backend/launch.ts';
import { eventCommand } from '../support/outreach/inbox-events.ts';
import { seedTenant } from '../support/outreach/rows.ts';
import { testEncryption } from '../support/services/outreach-flows.ts';
import { useStack } from '../support/fixtures/stack.ts';
import { eventually } from '../support/time/eventually.ts';

/** Half of the time after which the workflow server notices that an activity has died. */
const LONG_BEFORE_MS = 15_000;

describe('kill -9 of the backend that drains the inbox', function () {
  this.timeout(300_000);
  const stack = useStack({ services: ['sandbox', 'backend', 'second-backend'] });

  it('leaves the events to the other one, long before the workflow server notices', async () => {
    const database: Database = stack.database.connect('outreach');
    const tenant = await seedTenant(database, testEncryption);
    let stored = 0;
    const store = () => {
      const data = { contactId: `c${(stored += 1)}`, serviceNumberId: 'sn-1' };
      return storeEvents(database, [eventCommand(tenant, 'contact.entered', data)], 1);
    };
    const isEverythingHandled = async () => {
      const found = await firstRow<{ handled: number }>(
        database,
        `select count(*) as handled from event_inbox where status = 'processed'`,
        {},
      );
      return found?.handled === stored;
    };
    await store();
    await createLauncher(stack.temporal.client).inbox(0);
    await eventually('the first event is handled', isEverythingHandled, { timeoutMs: 60_000 });

    const events = setInterval(() => void store().catch(() => undefined), 20);
    try {
      // Whichever of them drains: the second one killed is the only one that can.
      for (const name of ['backend', 'second-backend'] as const) {
        await eventually('one of them drains', async () => {
          const lease = await firstRow<{ state: string }>(database, 'select state from inbox_lease', {});
          return lease?.state === 'draining';
        });
        await stack.kill(name);
        const before = stored;
        await eventually(
          `events go on without the ${name}`,
          async () => {
            const found = await firstRow<{ n: number }>(
              database,
              `select count(*) as n from event_inbox where status = 'processed'`,
              {},
            );
            return (found?.n ?? 0) > before;
          },
          { timeoutMs: LONG_BEFORE_MS },
        );
        await stack.restart(name);
      }
    } finally {
      clearInterval(events);
    }
    await eventually('every event is handled', isEverythingHandled, { timeoutMs: 60_000 });
    const waits = await firstRow<{ longest: number }>(
      database,
      'select max(extract(epoch from processed_at - received_at))::float8 as longest from event_inbox',
      {},
    );
    process.stderr.write(`      the longest wait of an event: ${waits?.longest.toFixed(1)} s\n`);
    const profiles = await firstRow<{ n: number }>(database, 'select count(*) as n from contact_profile', {});
    expect(profiles?.n).to.equal(stored);
  });
});
