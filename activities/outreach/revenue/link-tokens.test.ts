import { expect } from 'chai';
import { rows } from '#db/database.ts';
import type { Message } from '#domain/api/messages.ts';
import { eventCommand, inboxOf } from '#test/support/outreach/inbox-events.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import type { TestSend } from '#test/support/outreach/rows.ts';
import { testClickTokens } from '#test/support/services/outreach-flows.ts';
import { openSendingSite, type SendingSite } from '#test/support/services/sending-site.ts';

const url = 'https://shop.example/mug?from=card#buy';
const card: Message = {
  type: 'buttons',
  title: 'A mug',
  text: 'For tea',
  actions: [
    { type: 'Postback', label: 'Later', data: { bizEventCode: 'later' } },
    { type: 'Url', label: 'Buy', url },
    { type: 'Url', label: 'Look', url: 'https://shop.example/look' },
  ],
};
const HOUR_MS = 3_600_000;

describe('links that follow what orders from them are paid', () => {
  const database = useDatabase('outreach');
  let site: SendingSite;

  beforeEach(async () => {
    site = await openSendingSite(database);
  });
  afterEach(() => site.close());

  async function sent(days: number | null, at?: Date): Promise<TestSend> {
    const send = await site.seedSend({ chunks: [1, 1], messages: [card], ...(at ? { at } : {}) });
    await rows(database, 'update campaign set revenue_window_days = :days where campaign_id = :campaignId', {
      days,
      campaignId: send.campaignId,
    });
    await site.submit(send);
    return send;
  }
  const actionsOf = (key: string | undefined) => {
    const call = site.platform.of('A1').find(({ headers }) => headers['idempotency-key'] === key);
    const [message] = (call?.body['messages'] ?? []) as Extract<Message, { type: 'buttons' }>[];
    return message?.actions ?? [];
  };
  const linksOf = (key: string | undefined) =>
    actionsOf(key).flatMap((action) => (action.type === 'Url' ? [action.url] : []));
  const clickOf = (link: string | undefined, tenantId = site.tenant.tenantId) =>
    testClickTokens.verify(tenantId, new URL(link ?? '').searchParams.get('clickToken'), new Date());

  it('are as they were written where the campaign does not ask for it', async () => {
    const { keys } = await sent(null);
    expect(actionsOf(keys[0]).slice(1)).to.deep.equal(card.actions.slice(1));
  });

  it('name campaign, sub-task and button, and count for whole days after the send', async () => {
    const before = Date.now();
    const { campaignId, keys } = await sent(7);
    for (const key of keys) {
      const links = linksOf(key);
      expect(links.map((link) => link.replace(/[?&]clickToken=[^#]*/, ''))).to.deep.equal([
        url,
        'https://shop.example/look',
      ]);
      for (const [index, link] of links.entries()) {
        const verified = clickOf(link);
        expect(verified).to.have.nested.include({
          'click.campaignId': campaignId,
          'click.subTaskKey': key,
          'click.messageIndex': 0,
          'click.actionIndex': index + 1,
        });
        const until = 'click' in verified ? verified.click.countsUntil.getTime() - before : 0;
        expect(until).to.be.within(7 * 24 * HOUR_MS, 7 * 24 * HOUR_MS + HOUR_MS + 60_000);
        expect(clickOf(link, 'another tenant')).to.deep.equal({ fault: 'wrong' });
      }
    }
  });

  it('count from the time for which the campaign is scheduled', async () => {
    const at = new Date(Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + 48 * HOUR_MS);
    const { keys } = await sent(1, at);
    const verified = clickOf(linksOf(keys[0])[0]);
    expect('click' in verified && verified.click.countsUntil).to.deep.equal(new Date(at.getTime() + 24 * HOUR_MS));
  });

  it('are clicked as the links that were written: the click finds its button', async () => {
    const { campaignId, keys } = await sent(7);
    const inbox = inboxOf(database);
    const [key] = keys;
    const clicked = (actionIndex: number, link: string | undefined) =>
      eventCommand(site.tenant, 'notice.clicked', {
        taskId: `task-${key}`,
        noticeId: 'n1',
        actionIndex,
        action: { type: 'Url', url: link },
        contactId: 'c0-1',
        clickedAt: new Date().toISOString(),
      });
    const [buy, look] = linksOf(key);
    await inbox.store(clicked(1, buy), clicked(2, look));
    await inbox.handle();
    const found = await rows(
      database,
      'select message_index, action_index from click_attribution where campaign_id = :campaignId order by 2',
      { campaignId },
    );
    expect(found).to.deep.equal([
      { messageIndex: 0, actionIndex: 1 },
      { messageIndex: 0, actionIndex: 2 },
    ]);
  });
});
