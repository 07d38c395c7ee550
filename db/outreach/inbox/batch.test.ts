import { expect } from 'chai';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { seedTenant, type TestTenant } from '#test/support/outreach/rows.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { takeDueEvents, wakeWaiting } from './batch.ts';

describe('events that wait in the inbox', () => {
  const database = useDatabase('outreach');
  const now = new Date();
  const later = new Date(now.getTime() + 1);

  beforeEach(() => database('event_inbox').delete());

  const store = (
    { tenantId, tenantIntegrationId }: TestTenant,
    eventId: string,
    fields: Record<string, unknown> = {},
  ) =>
    database('event_inbox').insert({
      tenant_integration_id: tenantIntegrationId,
      event_id: eventId,
      tenant_id: tenantId,
      event_type: 'contact.updated',
      partition: 0,
      payload: '{}',
      occurred_at: now,
      received_at: now,
      next_attempt_at: now,
      ...fields,
    });
  const take = async (limits: { limit?: number; bytes?: number } = {}) => {
    const taken = await database.transaction((transaction) =>
      takeDueEvents(transaction, { partition: 0, limit: 100, bytes: 1000, now, ...limits }),
    );
    return taken.map(({ eventId }) => eventId).toSorted();
  };

  it('are taken when they are due, of one partition, and never again once they are settled', async () => {
    const tenant = await seedTenant(database, testEncryption);
    await store(tenant, 'due');
    await store(tenant, 'later', { next_attempt_at: later });
    await store(tenant, 'elsewhere', { partition: 1 });
    for (const status of ['processed', 'failed', 'dismissed']) await store(tenant, status, { status });
    expect(await take()).to.deep.equal(['due']);
  });

  it('are taken from every tenant in turn, and no further than the bytes allow', async () => {
    const [one, other] = [await seedTenant(database, testEncryption), await seedTenant(database, testEncryption)];
    for (const eventId of ['a-1', 'a-2', 'a-3']) await store(one, eventId, { payload: 'x'.repeat(600) });
    await store(other, 'b-1', { payload: 'x'.repeat(600), next_attempt_at: now });
    expect((await take({ limit: 2 })).map((id) => id[0])).to.deep.equal(['a', 'b']);
    expect(await take({ bytes: 700 })).to.have.length(2);
  });

  it('are woken by what they wait for, of their own tenant', async () => {
    const [one, other] = [await seedTenant(database, testEncryption), await seedTenant(database, testEncryption)];
    for (const tenant of [one, other])
      await store(tenant, `of ${tenant.tenantId}`, { waiting_for: 'task:t-1', next_attempt_at: later });
    await store(one, 'for another', { waiting_for: 'task:t-2', next_attempt_at: later });
    expect(await take()).to.deep.equal([]);
    await database.transaction((transaction) =>
      wakeWaiting(transaction, [{ tenantId: one.tenantId, for: 'task:t-1' }], now),
    );
    expect(await take()).to.deep.equal([`of ${one.tenantId}`]);
  });
});
