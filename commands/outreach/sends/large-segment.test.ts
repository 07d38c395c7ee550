import { expect } from 'chai';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { seedLargeDraft, seedTenant } from '#test/support/outreach/rows.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import type { Database, Transaction } from '#db/database.ts';
import { sendCampaign } from './send-campaign.ts';

const MILLION = 1_000_000;

/** The same database, of which each service number seems to have more than a million contacts where they are only counted. */
function crowded(database: Database): Database {
  const ofTransaction = (transaction: Transaction): Transaction =>
    new Proxy(transaction, {
      get(target, key) {
        const own = Reflect.get(target, key) as unknown;
        if (key !== 'raw') return own;
        return (sql: string, given?: Record<string, unknown>) => {
          const isCapped = typeof given?.['most'] === 'number' && sql.includes('limit :most::int) known');
          return isCapped
            ? Promise.resolve({ rows: [{ size: Math.min(Number(given['most']), MILLION + 1) }] })
            : Reflect.apply(own as () => unknown, target, [sql, given] as never);
        };
      },
    });
  return new Proxy(database, {
    get(target, key) {
      const own = Reflect.get(target, key) as unknown;
      if (key !== 'transaction') return own;
      return (work: (transaction: Transaction) => Promise<unknown>) =>
        target.transaction((transaction) => work(ofTransaction(transaction)));
    },
  });
}

describe('a segment of more than a million contacts', () => {
  const database = useDatabase('outreach');

  it('is counted by :send, so that nobody has to approve a number that is not whom it reaches', async () => {
    const { tenantId } = await seedTenant(database, testEncryption);
    const campaignId = await seedLargeDraft(database, tenantId);
    const { audience } = await database('campaign').where({ campaignId }).first();
    const [tagId] = audience.appTagIds;
    await database('campaign')
      .where({ campaignId })
      .update({ audience: JSON.stringify({ type: 'segment', segment: { tag: tagId } }) });
    const author = { tenantId, userId: 'u1', requestId: null };
    const request = { idempotencyKey: null, expectedReachableCount: 25, now: new Date() };
    const { campaign, dispatch } = await sendCampaign(crowded(database), author, campaignId, request);
    expect(dispatch).to.include({ number: 1 });
    expect(campaign).to.include({ status: 'sending', audienceCount: 25 });
    expect(await database('broadcast_task').where({ campaignId })).to.deep.equal([]);
  });
});
