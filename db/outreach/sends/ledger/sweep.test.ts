import { expect } from 'chai';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { seedSend, seedTenant } from '#test/support/outreach/rows.ts';
import { rows } from '#db/database.ts';
import { orphanedPolls, orphanedSends } from './sweep.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';

describe('what a sweep finds', () => {
  const database = useDatabase('outreach');
  const now = new Date();
  const earlier = new Date(now.getTime() - 60_000);
  const since = new Date(now.getTime() - 30_000);

  async function seedThree(change: string): Promise<string[]> {
    const { tenantId } = await seedTenant(database, testEncryption);
    const campaignIds: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      const { campaignId } = await seedSend(database, tenantId, { chunks: [1] });
      await rows(database, `update broadcast_task set ${change} where campaign_id = :campaignId`, {
        campaignId,
        earlier,
      });
      campaignIds.push(campaignId);
    }
    return campaignIds.toSorted();
  }

  /** Campaigns that take many reads of one row each. */
  async function looks(look: () => Promise<{ campaignId: string }[]>): Promise<string[]> {
    const seen = new Set<string>();
    for (let n = 0; n < 60; n += 1) for (const { campaignId } of await look()) seen.add(campaignId);
    return [...seen].toSorted();
  }

  it('gives each neglected send its turn, even if there are more than one read takes', async () => {
    const campaignIds = await seedThree('created_at = :earlier');
    expect(await looks(() => orphanedSends(database, { before: since, limit: 1 }))).to.deep.equal(campaignIds);
  });

  it('gives each neglected poll its turn', async () => {
    const campaignIds = await seedThree(`status = 'sending', task_id = 't-' || key, next_poll_at = :earlier`);
    expect(await looks(() => orphanedPolls(database, { before: since, limit: 1 }))).to.deep.equal(campaignIds);
  });

  it('finds scheduled tasks of a cancelled campaign once, whether or not they are due for polling', async () => {
    const scheduled = await seedThree(`status = 'scheduled', task_id = 'x-' || key, next_poll_at = null`);
    await rows(
      database,
      `update campaign set cancel_requested = true, updated_at = :earlier where campaign_id = any(:scheduled)`,
      { scheduled, earlier },
    );
    await rows(database, `update broadcast_task set next_poll_at = :earlier where campaign_id = :campaignId`, {
      campaignId: scheduled[0],
      earlier,
    });
    const found = (await orphanedPolls(database, { before: since, limit: 200 })).map(({ campaignId }) => campaignId);
    expect(found.filter((campaignId) => scheduled.includes(campaignId)).toSorted()).to.deep.equal(scheduled);
  });
});
