import { expect } from 'chai';
import { retentionOf } from '../../../domain/retention.ts';
import { useDatabase } from '../../../test/support/fixtures/database.ts';
import { seedTenant } from '../../../test/support/outreach/rows.ts';
import { testDeps, testEncryption } from '../../../test/support/services/outreach-flows.ts';
import { deleteExpiredRows } from './expired-rows.ts';

describe('an event whose retention has passed', () => {
  const database = useDatabase('outreach');

  it('is deleted once it is dealt with, and kept while it waits', async () => {
    const { tenantId, tenantIntegrationId } = await seedTenant(database, testEncryption);
    const now = new Date('2026-06-01T01:05:00Z');
    const event = (status: string, days: number) => ({
      tenant_integration_id: tenantIntegrationId,
      event_id: `${status} for ${days} days`,
      tenant_id: tenantId,
      event_type: 'contact.updated',
      partition: 0,
      payload: '{}',
      occurred_at: now,
      received_at: new Date(now.getTime() - days * 86_400_000),
      status,
    });
    await database('event_inbox').insert([
      event('stored', 1000),
      event('processed', 1000),
      event('failed', 1000),
      event('processed', 1),
    ]);
    const { settings, close } = testDeps(database, 'http://127.0.0.1:1');
    while ((await deleteExpiredRows(database, retentionOf(settings), now)) > 0);
    await close();
    expect(await database('event_inbox').orderBy('event_id').pluck('event_id')).to.deep.equal([
      'processed for 1 days',
      'stored for 1000 days',
    ]);
  });
});
