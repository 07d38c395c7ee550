import { expect } from 'chai';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { seedSend, seedTenant } from '#test/support/outreach/rows.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { findCampaign, listCampaigns } from './campaigns.ts';
import { lockCampaign } from '#commands/outreach/campaigns/lock-campaign.ts';

describe('campaigns', () => {
  const database = useDatabase('outreach');

  it('are found, listed and locked by their tenant alone', async () => {
    const [own, other] = [await seedTenant(database, testEncryption), await seedTenant(database, testEncryption)];
    const { campaignId } = await seedSend(database, own.tenantId, { chunks: [1] });
    const { campaignId: foreign } = await seedSend(database, other.tenantId, { chunks: [1] });
    expect(await findCampaign(database, own.tenantId, campaignId)).to.include({ id: campaignId });
    expect(await findCampaign(database, own.tenantId, foreign)).to.equal(null);
    const { items } = await listCampaigns(database, own.tenantId, { limit: 10 });
    expect(items.map(({ id }) => id)).to.deep.equal([campaignId]);
    const locked = await database
      .transaction((transaction) => lockCampaign(transaction, own.tenantId, foreign))
      .then(String, (error: { code?: string }) => error.code);
    expect(locked).to.equal('not_found');
  });
});
