import { MockActivityEnvironment } from '@temporalio/testing';
import { expect } from 'chai';
import { storeEvents } from '#db/outreach/inbox/intake.ts';
import { testDeps, testEncryption } from '#test/support/services/outreach-flows.ts';
import { seedTenant, type TestTenant } from '#test/support/outreach/rows.ts';
import { createOutreachActivities } from '../index.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';

const dayMs = 86_400_000;

describe('payloads of events', () => {
  const database = useDatabase('outreach');
  let tenant: TestTenant;
  let deps: ReturnType<typeof testDeps>;
  const now = new Date('2026-06-01T00:35:00Z');

  before(async () => {
    deps = testDeps(database, 'http://127.0.0.1:1');
    tenant = await seedTenant(database, testEncryption);
  });
  after(async () => {
    await deps.close();
  });
  beforeEach(() => database('event_inbox').delete());

  const payload = '{"contactId":"c","serviceNumberId":"sn-1"}';
  const event = (eventId: string, occurredAt: Date) => ({
    tenantIntegrationId: tenant.tenantIntegrationId,
    eventId,
    eventType: 'contact.updated' as const,
    occurredAt: occurredAt.toISOString(),
    serviceNumberId: 'sn-1',
    payload,
  });
  const past = (ms: number) => new Date(now.getTime() - 90 * dayMs - ms);
  const run = (at = now) => {
    const { deletePayloadsBatch } = createOutreachActivities(deps);
    return new MockActivityEnvironment().run(() => deletePayloadsBatch({ now: at.toISOString() }));
  };
  async function store(eventId: string, status: string, receivedAt: Date, occurredAt = receivedAt): Promise<void> {
    await storeEvents(database, [event(eventId, occurredAt)], 1, new Date());
    await database('event_inbox').where({ event_id: eventId }).update({ status, received_at: receivedAt });
  }
  const kept = async (): Promise<string[]> =>
    await database('event_inbox').where({ payload }).orderBy('event_id').pluck('event_id');

  it('S0-RC2: are deleted 90 days after they arrived, and not before; the event stays known', async () => {
    await store('old', 'processed', past(1000));
    await store('failed', 'failed', past(1000));
    await store('young', 'processed', past(-1000));
    await store('waiting', 'stored', past(1000));
    await store('of-late', 'processed', past(1000), past(-1000));
    expect(await run()).to.deep.equal({ deleted: 2, more: false });
    expect(await kept()).to.deep.equal(['of-late', 'waiting', 'young']);
    expect(await storeEvents(database, [event('old', now)], 1, new Date())).to.deep.equal([{ kind: 'duplicate' }]);
    expect(await database('event_inbox').where({ event_id: 'old' }).first('status', 'payload')).to.deep.equal({
      status: 'processed',
      payload: '',
    });
    expect(await run()).to.deep.equal({ deleted: 0, more: false });
    expect(await run(new Date(now.getTime() + 1500))).to.deep.equal({ deleted: 2, more: false });
    expect(await kept()).to.deep.equal(['waiting']);
  });

  it('are deleted in bounded batches, however many there are', async () => {
    await database.raw(
      `insert into event_inbox (tenant_integration_id, event_id, tenant_id, event_type, partition, payload, occurred_at,
         received_at, status)
       select ?, 'e-' || n, ?, 'contact.updated', 0, '{}', ?::timestamptz, ?::timestamptz, 'processed'
       from generate_series(1, 50001) as n`,
      [tenant.tenantIntegrationId, tenant.tenantId, past(1000), past(1000)],
    );
    expect(await run()).to.deep.equal({ deleted: 50_000, more: true });
    expect(await run()).to.deep.equal({ deleted: 1, more: false });
  });
});
