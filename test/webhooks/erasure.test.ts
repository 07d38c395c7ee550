import { expect } from 'chai';
import { rows } from '#db/database.ts';
import { useBackend } from '../support/fixtures/services.ts';
import { type EventSite, openEventSite } from '../support/webhooks/event-site.ts';

describe('a person in events for a webhook', function () {
  this.timeout(120_000);
  const backend = useBackend();
  let site: EventSite;

  beforeEach(async () => {
    site = await openEventSite(backend);
    await rows(
      backend.db,
      `insert into contact_profile (tenant_id, service_number_id, contact_id, follow_state, last_event_at)
       select :tenantId, 'sn-1', id, 'following', now() from unnest(array['ann', 'ben']) as id`,
      { tenantId: site.tenantId },
    );
  });
  afterEach(() => site.close());

  /** Both click, in one event. */
  async function bothClick(): Promise<void> {
    const send = await site.seedSend({ chunks: [2] });
    for (const contactId of ['ann', 'ben'])
      await rows(
        backend.db,
        `insert into click_attribution (tenant_id, task_id, contact_id, notice_id, action_index, campaign_id, event_id, clicked_at)
         values (:tenantId, 't', :contactId, 'n', 0, :campaignId, :contactId, now())`,
        { tenantId: site.tenantId, campaignId: send.campaignId, contactId },
      );
  }

  it('is exported with what the events say of them, and of nobody else', async () => {
    await site.configure(['contact.clicked']);
    await bothClick();
    const { body } = await site.call('GET', '/contacts/sn-1/ann/export');
    expect(body.webhookEvents).to.have.length(1);
    expect(body.webhookEvents[0]).to.deep.include({ type: 'contact.clicked' });
    expect(body.webhookEvents[0].contacts.map(({ contactId }: { contactId: string }) => contactId)).to.deep.equal([
      'ann',
    ]);
    expect(JSON.stringify(body.webhookEvents)).to.not.contain('"ben"');
  });

  it('is named by no event that is sent after the erasure, and by none that is delivered again', async () => {
    const secret = await site.configure(['contact.clicked']);
    await bothClick();
    site.startRelay();
    await site.hurry();
    await site.settled();
    // On a busy machine the clicks would be due before the erasure.
    await site.stopRelays();
    await bothClick();
    const erased = await site.call('POST', '/contacts/sn-1/ann:erase', { reason: 'asked for it' });
    expect(erased.body).to.include({ finished: true });
    const { items } = (await site.call('GET', '/webhook/deliveries')).body;
    for (const { deliveryId } of items) await site.call('POST', `/webhook/deliveries/${deliveryId}:redeliver`);
    site.startRelay();
    await site.hurry();
    await site.settled();
    const [before, ...after] = site.read(secret);
    expect(before?.data.clicks?.map(({ contactId }) => contactId)).to.deep.equal(['ann', 'ben']);
    expect(after).to.have.length.greaterThan(1);
    for (const { data } of after) {
      expect(JSON.stringify(data)).to.not.contain('"ann"');
      expect(data.clicks).to.have.length(2);
      expect(data.clicks?.[1]).to.include({ contactId: 'ben' });
    }
    const left = await rows(
      backend.db,
      `select 1 from outgoing_event_part where tenant_id = :tenantId and contact_ids @> array['ann']`,
      { tenantId: site.tenantId },
    );
    expect(left).to.deep.equal([]);
  });
});
