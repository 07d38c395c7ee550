import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { createIntake } from '../../api/backend/routes/inbox/intake.ts';
import { firstRow, rows } from '../../db/database.ts';
import type { IntakeCommand } from '../../domain/api/events.ts';
import { eventually } from '../../test/support/time/eventually.ts';
import { testEncryption } from '../../test/support/services/outreach-flows.ts';
import { seedTenant, type TestTenant } from '../../test/support/outreach/rows.ts';
import { inboxWorkflowId } from '../contracts/handle-inbox.ts';
import { useDatabase } from '../../test/support/fixtures/database.ts';
import { useOutreachWorker } from '../../test/support/fixtures/outreach.ts';

describe('handleInbox', () => {
  const database = useDatabase('outreach');
  const worker = useOutreachWorker(database);
  let tenants: TestTenant[];
  let intake: ReturnType<typeof createIntake>;

  before(async () => {
    tenants = await Promise.all([1, 2, 3, 4].map(() => seedTenant(database, testEncryption)));
    const logger = { warn: () => {} };
    intake = createIntake({ database, launcher: worker.launcher, partitions: 2, logger });
  });

  const contact = (n: number): IntakeCommand => ({
    tenantIntegrationId: tenants[n % tenants.length]?.tenantIntegrationId ?? '',
    eventId: randomUUID(),
    eventType: 'contact.entered',
    occurredAt: new Date().toISOString(),
    serviceNumberId: 'sn-1',
    payload: JSON.stringify({ contactId: `c${n}`, serviceNumberId: 'sn-1' }),
  });
  const open = async () =>
    (await firstRow<{ n: number }>(database, `select count(*) as n from event_inbox where status = 'stored'`, {}))?.n;
  const allHandled = () => eventually('every event is handled', async () => (await open()) === 0);

  it('has an id that staff can guess', () => {
    expect(inboxWorkflowId(1)).to.equal('inbox:1');
  });

  it('handles a stream of events as it arrives, in few actions, and ends when idle', async () => {
    for (let n = 0; n < 2000; n += 20) {
      await intake(Array.from({ length: 20 }, (_, index) => contact(n + index)));
      await setTimeout(5);
    }
    await allHandled();
    let signals = 0;
    // Tenants are distributed by their ids: all four may be in one partition.
    const partitions = await rows<{ partition: number }>(database, 'select distinct partition from event_inbox', {});
    expect(partitions).to.have.length.within(1, 2);
    for (const { partition } of partitions) {
      const handle = worker.client.workflow.getHandle(inboxWorkflowId(partition));
      expect(await handle.result()).to.have.property('handled');
      const { events } = await handle.fetchHistory();
      signals += (events ?? []).filter((event) => event.workflowExecutionSignaledEventAttributes).length;
    }
    // At most one per second and partition until a drain has started, which a busy machine delays.
    expect(signals).to.be.lessThan(60);
  });

  it('misses nothing while a drain is ending', async () => {
    // Events arrive just as a drain's idle wait (2 s) ends, again and again.
    for (let round = 0; round < 4; round++) {
      await Promise.all([0, 1, 2, 3].map((n) => intake([contact(round * 4 + n)])));
      await allHandled();
      await setTimeout(1950 + round * 30);
    }
    await intake([contact(1)]);
    await allHandled();
  });
});
