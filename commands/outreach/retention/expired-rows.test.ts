import { expect } from 'chai';
import { retentionOf } from '#domain/retention.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { moveSend } from '#test/support/outreach/earlier-send.ts';
import { seedSend, seedTenant } from '#test/support/outreach/rows.ts';
import { testDeps, testEncryption } from '#test/support/services/outreach-flows.ts';
import { deleteExpiredRows } from './delete-expired-rows.ts';

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

describe('the recipients of a send whose retention has passed', () => {
  const database = useDatabase('outreach');

  it('are deleted once its campaign is over, or it is of an automation, and kept while it may go on', async () => {
    const { tenantId } = await seedTenant(database, testEncryption);
    const now = new Date('2026-06-01T01:05:00Z');
    const names = new Map<string, string>();
    for (const status of ['completed', 'cancelled', 'closed', 'scheduled', 'sending', 'paused', 'automation']) {
      const { campaignId, dispatchId } = await seedSend(database, tenantId, { chunks: [2] });
      const automation = status === 'automation';
      await database('campaign')
        .where({ campaign_id: campaignId })
        .update({
          status: automation ? 'sending' : status,
          pause_reason: status === 'paused' ? 'operator' : null,
          automation,
        });
      names.set(await moveSend(database, dispatchId, new Date('2024-01-01T00:00:00Z')), status);
    }
    const { settings, close } = testDeps(database, 'http://127.0.0.1:1');
    while ((await deleteExpiredRows(database, retentionOf(settings), now)) > 0);
    await close();
    const left: string[] = await database('dispatch_chunk').distinct('dispatch_id').pluck('dispatch_id');
    expect(left.map((id) => names.get(id)).toSorted()).to.deep.equal(['paused', 'scheduled', 'sending']);
  });
});
