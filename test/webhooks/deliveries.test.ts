import { expect } from 'chai';
import { rows } from '#db/database.ts';
import { newWebhookSecret } from '#clients/webhooks/standard-webhooks.ts';
import { GIVE_UP_AFTER_MS } from '#domain/webhooks/retries.ts';
import { verified } from '../orders/support/merchant-receiver.ts';
import { useBackend } from '../support/fixtures/services.ts';
import { eventually } from '../support/time/eventually.ts';
import { type EventSite, openEventSite } from '../support/webhooks/event-site.ts';

describe('deliveries of campaigns’ events', function () {
  this.timeout(120_000);
  const backend = useBackend();
  let site: EventSite;

  beforeEach(async () => {
    site = await openEventSite(backend);
  });
  afterEach(() => site.close());

  /** A send with one sub-task that is submitted and has ended: two events. */
  async function ended() {
    const send = await site.seedSend({ chunks: [2] });
    await site.submit(send);
    await site.due(send);
    await site.poll(send);
    return send;
  }
  const log = async (query = '') => (await site.call('GET', `/webhook/deliveries${query}`)).body;
  const types = () => site.receiver.received.map(({ event }) => String(event.type));

  it('what is refused is sent again with the same id and text, and later events of the campaign wait for it', async () => {
    const secret = await site.configure();
    let refusals = 2;
    site.receiver.state.respond = (_, response) => void response.writeHead((refusals -= 1) >= 0 ? 500 : 200).end();
    const send = await ended();
    site.startRelay();
    await site.settled();
    expect(types()).to.deep.equal(['campaign.sent', 'campaign.sent', 'campaign.sent', 'campaign.completed']);
    const [first, second, third] = site.receiver.received;
    expect([second?.eventId, third?.eventId]).to.deep.equal([first?.eventId, first?.eventId]);
    expect([second?.body, third?.body]).to.deep.equal([first?.body, first?.body]);
    site.read(secret);
    const { items } = await log();
    expect(
      items.map(({ type, status, attempts, lastStatus, campaignId }: Record<string, unknown>) => [
        type,
        status,
        attempts,
        lastStatus,
        campaignId,
      ]),
    ).to.deep.equal([
      ['campaign.completed', 'delivered', 1, 200, send.campaignId],
      ['campaign.sent', 'delivered', 3, 200, send.campaignId],
    ]);
  });

  it('another campaign does not wait', async () => {
    await site.configure(['campaign.sent']);
    const [slow, quick] = [await ended(), await ended()];
    site.receiver.state.respond = ({ body }, response) =>
      void response.writeHead(body.includes(slow.campaignId) ? 503 : 200).end();
    site.startRelay();
    await eventually('the other one is delivered', async () => (await log('?status=delivered')).items.length === 1);
    expect((await log('?status=delivered')).items[0].campaignId).to.equal(quick.campaignId);
  });

  it('after 3 days an event is given up, and can be delivered again', async () => {
    await site.configure(['campaign.completed']);
    site.receiver.state.respond = (_, response) => void response.writeHead(410).end();
    await ended();
    site.startRelay();
    await eventually('it was tried', () => site.receiver.received.length > 0);
    await rows(
      backend.db,
      `update delivery set trying_since = now() - :ms * interval '1 millisecond', next_attempt_at = now()
       where tenant_id = :tenantId and status = 'pending'`,
      { tenantId: site.tenantId, ms: GIVE_UP_AFTER_MS },
    );
    await site.settled();
    const [failed] = (await log('?status=failed')).items;
    expect(failed).to.include({ lastStatus: 410, nextAttemptAt: null });
    site.receiver.state.respond = site.receiver.accept;
    const again = await site.call('POST', `/webhook/deliveries/${failed.deliveryId}:redeliver`);
    expect(again.body).to.include({ status: 'pending', eventId: failed.eventId });
    await site.settled();
    expect((await log()).items[0]).to.include({ status: 'delivered', lastStatus: 204 });
    expect(site.receiver.received.at(-1)?.eventId).to.equal(failed.eventId);
  });

  it('a test event goes to the webhook whatever types it has', async () => {
    const secret = await site.configure(['campaign.sent']);
    site.startRelay();
    const { status, body } = await site.call('POST', '/webhook:test');
    expect(status).to.equal(200);
    expect(body).to.include({ type: 'webhook.test', status: 'pending', campaignId: null, contacts: null });
    await site.settled();
    expect(site.read(secret)).to.have.length(1);
    expect(site.read(secret)[0]?.data).to.deep.equal({ tenantId: site.tenantId });
  });

  it('a new secret signs at once, and the one before for a day; after that it does not', async () => {
    const before = await site.configure();
    const { secret, previousUntil } = (await site.call('POST', '/webhook:rotate-secret')).body;
    expect(secret)
      .to.match(/^whsec_/)
      .and.not.equal(before);
    expect(Date.parse(previousUntil) - Date.now()).to.be.within(86_000_000, 86_500_000);
    site.startRelay();
    await site.call('POST', '/webhook:test');
    await site.settled();
    const [call] = site.receiver.received;
    if (!call) throw new Error('nothing was received');
    for (const one of [secret, before]) expect(String(verified(one, call).type)).to.equal('webhook.test');
    expect(() => verified(newWebhookSecret(), call)).to.throw();
    await rows(backend.db, 'update webhook set previous_until = now() where tenant_id = :tenantId', {
      tenantId: site.tenantId,
    });
    await site.call('POST', '/webhook:test');
    await site.settled();
    const last = site.receiver.received.at(-1);
    if (!last) throw new Error('nothing was received');
    expect(String(verified(secret, last).type)).to.equal('webhook.test');
    expect(() => verified(before, last)).to.throw();
  });

  it('several processes deliver each event once, each campaign in order', async () => {
    await site.configure();
    const sends = await Promise.all(Array.from({ length: 12 }, () => ended()));
    for (let n = 0; n < 3; n += 1) site.startRelay();
    await site.settled();
    for (const { campaignId } of sends) {
      const own = site.receiver.received.filter(({ body }) => body.includes(campaignId));
      expect(own.map(({ event }) => String(event.type))).to.deep.equal(['campaign.sent', 'campaign.completed']);
    }
  });

  it('clicks that join while an event is being claimed are in it, or in the next', async () => {
    await site.configure(['contact.clicked']);
    const send = await site.seedSend({ chunks: [1] });
    site.startRelay({ pollMs: 1 });
    for (let n = 0; n < 60; n += 1) {
      await rows(
        backend.db,
        `insert into click_attribution (tenant_id, task_id, contact_id, notice_id, action_index, campaign_id, event_id, clicked_at)
         values (:tenantId, 't', :contactId, 'n', 0, :campaignId, :contactId, now())`,
        { tenantId: site.tenantId, campaignId: send.campaignId, contactId: `k${n}` },
      );
      await site.hurry();
    }
    await site.settled();
    const told = site.receiver.received.flatMap(({ body }) =>
      (JSON.parse(body) as { data: { clicks: { contactId: string }[] } }).data.clicks.map(({ contactId }) => contactId),
    );
    expect(told.toSorted()).to.deep.equal(Array.from({ length: 60 }, (_, n) => `k${n}`).toSorted());
    expect(site.receiver.received.length).to.be.within(2, 60);
  });
});
