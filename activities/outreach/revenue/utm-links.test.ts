import { expect } from 'chai';
import { rows } from '#db/database.ts';
import type { Message } from '#domain/api/messages.ts';
import { eventCommand, inboxOf } from '#test/support/outreach/inbox-events.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { seedRule, seedTag, taggedContacts } from '#test/support/outreach/rules.ts';
import { openSendingSite, type SendingSite } from '#test/support/services/sending-site.ts';

const card = (url: string, more: { tracked?: boolean } = {}): Message => ({
  type: 'buttons',
  title: 'A mug',
  text: 'For tea',
  actions: [{ type: 'Url', label: 'Buy', url, ...more }],
});

describe('links with UTM parameters', () => {
  const database = useDatabase('outreach');
  let site: SendingSite;

  beforeEach(async () => {
    site = await openSendingSite(database);
  });
  afterEach(() => site.close());

  const mugs = [card('https://shop.example/mug#buy'), card('https://shop.example/mug#buy')];
  async function sent(more: { days: number | null }, messages = mugs) {
    const send = await site.seedSend({ chunks: [1, 1], messages });
    await rows(
      database,
      `update campaign set utm = :utm::jsonb, name = 'Renamed', sent_name = 'Mugs', revenue_window_days = :days
       where campaign_id = :campaignId`,
      {
        utm: JSON.stringify({ source: 'harbor', campaign: '{campaign}', content: '{message}' }),
        days: more.days,
        campaignId: send.campaignId,
      },
    );
    await site.submit(send);
    return send;
  }
  const linksOf = (call: { body: Record<string, unknown> } | undefined) =>
    ((call?.body['messages'] ?? []) as Extract<Message, { type: 'buttons' }>[]).flatMap(({ actions }) =>
      actions.flatMap((action) => (action.type === 'Url' ? [action.url] : [])),
    );
  const tagged = (message: number) =>
    `https://shop.example/mug?utm_source=harbor&utm_campaign=Mugs&utm_content=${message}#buy`;

  it('are sent the same in every sub-task, with the name that the send began with, before a click token', async () => {
    await sent({ days: null });
    const calls = site.platform.of('A1');
    expect(calls).not.to.be.empty;
    for (const call of calls) expect(linksOf(call)).to.deep.equal([tagged(1), tagged(2)]);
    site.platform.of('A1').length = 0;
    await sent({ days: 7 });
    const [first] = linksOf(site.platform.of('A1').at(-1));
    expect(first?.replace(/clickToken=[^#]*/, 'clickToken=…')).to.equal(tagged(1).replace('#buy', '&clickToken=…#buy'));
  });

  it('are sent exactly as they are written where they are signed, would be too long or say so', async () => {
    const long = `https://shop.example/?${'x'.repeat(1950)}`;
    const signed = 'https://files.example/menu.pdf?X-Amz-Signature=0a1b&&x#page=2';
    const written = [
      card(signed),
      card('https://shop.example/', { tracked: false }),
      card(long),
      card('https://me:secret@shop.example', { tracked: true }),
    ];
    await sent({ days: 7 }, written);
    const [call] = site.platform.of('A1');
    const links = linksOf(call);
    expect(links.slice(0, 3)).to.deep.equal([signed, 'https://shop.example/', long]);
    expect(links[3]).to.match(/^https:\/\/me:secret@shop\.example\?utm_source=harbor&.*&clickToken=[\w-]{75}$/);
    expect(JSON.stringify(call?.body), 'a word that the platform does not know').not.to.contain('"tracked"');
  });

  it('are clicked in their normal form: the click finds its message, and rules the address either way', async () => {
    const { tenantId } = site.tenant;
    const rule = async (value: string) => {
      const tagId = await seedTag(database, tenantId);
      await seedRule(database, tenantId, { targetTagId: tagId, matchCondition: { field: 'url', op: 'eq', value } });
      return tagId;
    };
    const written = 'HTTPS://Bücher.example?a=1&&b';
    const tags = [
      await rule(written),
      await rule('https://xn--bcher-kva.example/?a=1&b'),
      await rule('https://other.example/'),
    ];
    const { campaignId, keys } = await sent({ days: 7 }, [
      card('https://other.example/'),
      card(written),
      card('https://third.example/'),
    ]);
    const inbox = inboxOf(database);
    const [key] = keys;
    const [, link = ''] = linksOf(site.platform.of('A1').find(({ headers }) => headers['idempotency-key'] === key));
    const clicked = (noticeId: string, url: string) =>
      eventCommand(site.tenant, 'notice.clicked', {
        taskId: `task-${key}`,
        noticeId,
        actionIndex: 0,
        action: { type: 'Url', url },
        contactId: 'c0-1',
        clickedAt: new Date().toISOString(),
      });
    await inbox.store(clicked('n1', new URL(link).href), clicked('n2', new URL(written).href));
    await inbox.handle();
    const found = await rows(
      database,
      'select notice_id, message_index from click_attribution where campaign_id = :campaignId order by 1',
      { campaignId },
    );
    expect(found).to.deep.equal([
      { noticeId: 'n1', messageIndex: 1 },
      { noticeId: 'n2', messageIndex: 1 },
    ]);
    const tagged = await Promise.all(tags.map((tagId) => taggedContacts(database, tagId)));
    expect(tagged).to.deep.equal([['c0-1'], ['c0-1'], []]);
  });

  it('are clicked as they were sent: the click finds the message of two that say the same, and rules the written address', async () => {
    const { tenantId } = site.tenant;
    const tagId = await seedTag(database, tenantId);
    const matchCondition = { field: 'url' as const, op: 'eq' as const, value: 'https://shop.example/mug#buy' };
    await seedRule(database, tenantId, { targetTagId: tagId, matchCondition });
    const { campaignId, keys } = await sent({ days: 7 });
    const inbox = inboxOf(database);
    const [key] = keys;
    const [, second] = linksOf(site.platform.of('A1').find(({ headers }) => headers['idempotency-key'] === key));
    await inbox.store(
      eventCommand(site.tenant, 'notice.clicked', {
        taskId: `task-${key}`,
        noticeId: 'n1',
        actionIndex: 0,
        action: { type: 'Url', url: second },
        contactId: 'c0-1',
        clickedAt: new Date().toISOString(),
      }),
    );
    await inbox.handle();
    const found = await rows(
      database,
      'select message_index, action_index from click_attribution where campaign_id = :campaignId',
      { campaignId },
    );
    expect(found).to.deep.equal([{ messageIndex: 1, actionIndex: 0 }]);
    expect(await taggedContacts(database, tagId)).to.deep.equal(['c0-1']);
  });
});
