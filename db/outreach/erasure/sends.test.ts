import { expect } from 'chai';
import { newPseudonym } from '#domain/contacts/pseudonym.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { seedSend, seedTenant } from '#test/support/outreach/rows.ts';
import { testEncryption } from '#test/support/services/outreach-flows.ts';
import { renameInClicks, renameInSends } from './sends.ts';

describe('the contact of an erasure in clicks, conversations and sends', () => {
  const database = useDatabase('outreach');
  const now = new Date();

  /** A send to `c0-1` and `c0-2`, both of whom clicked and opened a conversation. */
  async function sentTo() {
    const { tenantId } = await seedTenant(database, testEncryption);
    const { campaignId, dispatchId } = await seedSend(database, tenantId, { chunks: [2] });
    for (const contactId of ['c0-1', 'c0-2']) {
      await database('click_attribution').insert({
        tenant_id: tenantId,
        task_id: 't',
        contact_id: contactId,
        notice_id: 'n',
        action_index: 0,
        campaign_id: campaignId,
        event_id: contactId,
        clicked_at: now,
      });
      await database('conversation').insert({
        tenant_id: tenantId,
        session_id: contactId,
        campaign_id: campaignId,
        contact_id: contactId,
        opened_at: now,
      });
    }
    const namedBy = async () => ({
      clicks: await database('click_attribution')
        .where({ tenant_id: tenantId })
        .orderBy('event_id')
        .pluck('contact_id'),
      conversations: await database('conversation')
        .where({ tenant_id: tenantId })
        .orderBy('session_id')
        .pluck('contact_id'),
      sends: await database('dispatch_recipient')
        .where({ dispatch_id: dispatchId })
        .orderBy('contact_id')
        .pluck('contact_id'),
    });
    return { tenantId, namedBy };
  }

  it('is replaced by its pseudonym, and nobody of another tenant', async () => {
    const [own, other] = [await sentTo(), await sentTo()];
    const erasure = { erasureId: 'e', tenantId: own.tenantId, contactId: 'c0-1', pseudonym: newPseudonym() };
    await renameInClicks(database, erasure);
    await renameInSends(database, erasure);
    const [gone, kept] = [
      [erasure.pseudonym, 'c0-2'],
      ['c0-1', 'c0-2'],
    ];
    expect(await own.namedBy()).to.deep.equal({ clicks: gone, conversations: gone, sends: gone.toReversed() });
    expect(await other.namedBy()).to.deep.equal({ clicks: kept, conversations: kept, sends: kept });
  });
});
