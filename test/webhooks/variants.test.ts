import { expect } from 'chai';
import { rows } from '#db/database.ts';
import { MESSAGES_PER_VARIANT } from '#domain/campaigns/variants/variants.ts';
import { eventHandlers } from '#activities/outreach/inbox/handlers/index.ts';
import { useBackend } from '../support/fixtures/services.ts';
import { eventCommand, inboxOf } from '../support/outreach/inbox-events.ts';
import type { TestSend } from '../support/outreach/rows.ts';
import { against, card, sentBy } from '../support/outreach/variant-sends.ts';
import { type EventSite, openEventSite } from '../support/webhooks/event-site.ts';

const CONTACTS = 40;

describe('events of a campaign with variants', function () {
  this.timeout(120_000);
  const backend = useBackend();
  let site: EventSite;

  beforeEach(async () => {
    site = await openEventSite(backend);
    await rows(
      backend.db,
      `insert into contact_profile (tenant_id, service_number_id, contact_id, follow_state, last_event_at)
       select :tenantId, 'sn-1', 'v' || n, 'following', now() from generate_series(1, ${CONTACTS}) as n`,
      { tenantId: site.tenantId },
    );
  });
  afterEach(() => site.close());

  async function send(): Promise<TestSend> {
    const contactIds = Array.from({ length: CONTACTS }, (_, n) => `v${n + 1}`);
    const campaign = {
      name: 'Breakfast',
      serviceNumberId: 'sn-1',
      messages: [card('A', 'first')],
      variants: against([30, 30], {}, [{ type: 'text', text: 'B comes second' }, card('B', 'second')]),
      audience: { type: 'contacts', contactIds },
      schedule: { type: 'immediate' },
    };
    const draft = await site.call('POST', '/campaigns', campaign);
    expect(draft.status, JSON.stringify(draft.body)).to.equal(201);
    const campaignId = String(draft.body.id);
    expect((await site.call('POST', `/campaigns/${campaignId}:send`, {})).status).to.equal(202);
    const [dispatch] = await rows<{ dispatchId: string }>(
      backend.db,
      'select dispatch_id from dispatch where campaign_id = :campaignId',
      { campaignId },
    );
    const { tenantId } = site;
    return { tenantId, campaignId, dispatchId: dispatch?.dispatchId ?? '', number: 1, keys: [] };
  }
  async function deliver(sent: TestSend): Promise<void> {
    await site.submit(sent);
    await site.due(sent);
    await site.poll(sent);
  }
  /** One of those who got a card presses its button. */
  async function press(title: string, messageIndex: number): Promise<string> {
    const call = site.platform.of('A1').find(({ body }) => JSON.stringify(body).includes(`"title":"${title}"`));
    const contactId = call && sentBy(call).contactIds[0];
    if (!call || !contactId) throw new Error(`nobody got ${title}`);
    const messages = call.body['messages'] as { actions?: object[] }[];
    const inbox = inboxOf(backend.db);
    await inbox.store(
      eventCommand(site.tenant, 'notice.clicked', {
        taskId: `task-${String(call.headers['idempotency-key'])}`,
        contactId,
        noticeId: `notice-${contactId}`,
        actionIndex: 0,
        action: messages[messageIndex]?.actions?.[0],
        serviceNumberId: 'sn-1',
        clickedAt: '2026-11-26T08:00:00Z',
      }),
    );
    await inbox.handle(eventHandlers);
    return contactId;
  }

  it('name the message of the variant that was clicked, and tell of the send once the rest is out, too', async () => {
    const secret = await site.configure();
    const sent = await send();
    await deliver(sent);
    const clicked = [await press('A', 0), await press('B', 1)];
    site.startRelay();
    await site.hurry();
    await site.settled();
    expect(site.read(secret).map(({ type }) => type)).to.deep.equal(['contact.clicked']);
    const [event] = site.read(secret);
    const told = event?.data.clicks?.map((click) => {
      const { contactId, messageIndex, bizEventCode } = click as typeof click & Record<string, unknown>;
      return { contactId, messageIndex, bizEventCode };
    });
    expect(told).to.have.deep.members([
      { contactId: clicked[0], messageIndex: 0, bizEventCode: 'first' },
      { contactId: clicked[1], messageIndex: MESSAGES_PER_VARIANT + 1, bizEventCode: 'second' },
    ]);

    const chosen = await site.call('POST', `/campaigns/${sent.campaignId}/variants:choose`, { name: 'B' });
    expect(chosen.status, JSON.stringify(chosen.body)).to.equal(200);
    await deliver(sent);
    await site.hurry();
    await site.settled();
    const later = site.read(secret).slice(1);
    expect(later.map(({ type }) => type)).to.deep.equal(['campaign.sent', 'campaign.completed']);
    const [out, ended] = later.map(({ data }) => data);
    expect(out).to.deep.include({ dispatchId: sent.dispatchId, contacts: CONTACTS, submitted: CONTACTS, subTasks: 3 });
    expect(ended).to.deep.include({ status: 'completed', contacts: CONTACTS, sent: CONTACTS, delivered: CONTACTS });
  });
});
