import { expect } from 'chai';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { seedSend, seedTenant } from '#test/support/outreach/rows.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { failedTasks } from './polling.ts';

describe('the failed tasks that a retry asks the platform about', () => {
  const database = useDatabase('outreach');

  it('are those that can be retried first, and never those that reached somebody', async () => {
    const { tenantId } = await seedTenant(database, testEncryption);
    const { campaignId, keys } = await seedSend(database, tenantId, { chunks: [1, 1, 1, 1, 1] });
    const [partly, silent, unsent, clicked, refused] = keys;
    const change = (key = '', values: object) =>
      database('broadcast_task')
        .where({ key })
        .update({ status: 'failed', task_id: `task-${key}`, ...values });
    await change(partly, { sent: 1 });
    await change(silent, { sent: null });
    await change(unsent, { sent: 0 });
    await change(clicked, { sent: 0, reached: true });
    await change(refused, { status: 'rejected', error_code: 'not_sent' });
    const found = async (limit: number) =>
      (await failedTasks(database, { tenantId, campaignId, limit })).map(({ key }) => key);
    expect(await found(2)).to.deep.equal([unsent, refused]);
    expect(await found(9)).to.deep.equal([unsent, refused, silent]);
  });
});
