import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { createIntake } from '#api/backend/routes/inbox/intake.ts';
import { firstRow, rows } from '#db/database.ts';
import type { IntakeCommand } from '#domain/api/events.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { runCost } from '#test/support/servers/actions.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { seedTenant, type TestTenant } from '#test/support/outreach/rows.ts';
import { inboxWorkflowId } from '../contracts/handle-inbox.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { useOutreachWorker } from '#test/support/fixtures/outreach.ts';

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

  it('handles a stream of events as it arrives, at 2 actions for 1,000 of them at most, and ends when idle', async () => {
    const stream = 10_000;
    for (let n = 0; n < stream; n += 20) {
      await intake(Array.from({ length: 20 }, (_, index) => contact(n + index)));
      await setTimeout(15);
    }
    await allHandled();
    let actions = 0;
    // Tenants are distributed by their ids: all four may be in one partition.
    const partitions = await rows<{ partition: number }>(database, 'select distinct partition from event_inbox', {});
    expect(partitions).to.have.length.within(1, 2);
    for (const { partition } of partitions) {
      const workflowId = inboxWorkflowId(partition);
      expect(await worker.client.workflow.getHandle(workflowId).result()).to.have.property('handled');
      for await (const { runId } of worker.client.workflow.list({ query: `WorkflowId = '${workflowId}'` }))
        actions += (await runCost(worker.client, workflowId, runId)).actions;
    }
    expect(actions).to.be.within(1, (stream / 1000) * 2);
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
