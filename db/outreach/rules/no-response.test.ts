import { expect } from 'chai';
import { rows } from '#db/database.ts';
import { useDatabase, useTestDatabase } from '#test/support/fixtures/database.ts';
import { seedSend, seedTenant } from '#test/support/outreach/rows.ts';
import { seedRule, seedTag } from '#test/support/outreach/rules.ts';
import { rowsRead } from '#test/support/servers/rows-read.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { findDueSubTasks } from './no-response.ts';

describe('sub-tasks that a no-response rule is due for', () => {
  const test = useTestDatabase();
  const database = useDatabase('outreach', { on: test });

  it('finding 14: are found without reading those that ended before the period that rules look back', async () => {
    const { tenantId } = await seedTenant(database, testEncryption);
    const targetTagId = await seedTag(database, tenantId);
    await seedRule(database, tenantId, { triggerEvent: 'no_response_for_N_days', days: 2, targetTagId });
    const { campaignId, dispatchId, keys } = await seedSend(database, tenantId, { chunks: [1, 1] });
    await rows(
      database,
      `insert into broadcast_task (key, tenant_id, campaign_id, dispatch_id, chunk, status, contact_count, finished_at)
       select 'old-' || n, :tenantId, :campaignId, :dispatchId, n, 'completed', 1, now() - interval '93 days'
       from generate_series(100, 20099) n`,
      { tenantId, campaignId, dispatchId },
    );
    await rows(
      database,
      `update broadcast_task set status = 'completed',
         finished_at = now() - case chunk when 0 then interval '2 days' else interval '91 days' end
       where key = any(:keys)`,
      { keys },
    );
    await test.connect('outreach', 'owner').raw('analyze');
    const found: string[] = [];
    const read = await rowsRead(database, ['broadcast_task'], async (transaction) => {
      const due = await findDueSubTasks(transaction, { now: new Date(), limit: 50 });
      found.push(...due.map(({ key }) => key));
    });
    expect(found).to.deep.equal(keys.toReversed());
    expect(read.scanned + read.fetched).to.be.lessThan(50);
  });
});
