import { expect } from 'chai';
import { type DryRunFacts, dryRunWarnings } from './dry-run-warnings.ts';

describe('warnings of a dry run', () => {
  const now = new Date('2026-11-24T09:00:00Z');
  const hour = (n: number) => new Date(now.getTime() + n * 3_600_000);
  const facts = (more: Partial<DryRunFacts> = {}): DryRunFacts => ({
    name: 'Spring',
    sentName: null,
    utm: null,
    revenueWindowDays: null,
    variants: null,
    messagesBy: null,
    steps: null,
    arms: null,
    cases: null,
    messages: [{ type: 'text', text: 'See http://shop.example' }],
    schedule: { type: 'immediate' },
    endsAt: null,
    preview: {
      hitCount: 2,
      reachableCount: 2,
      excluded: { expiredTags: 0, unsubscribed: 0, unreachable: 0, controlGroup: 0 },
    },
    sameAudience: null,
    appId: 'outreach',
    now,
    ...more,
  });
  const places = (more: Partial<DryRunFacts>) =>
    dryRunWarnings(facts(more)).map(({ code, path }) => (path === undefined ? code : `${code} ${path}`));

  it('returns nothing for a campaign without problems', () => {
    expect(dryRunWarnings(facts({ endsAt: hour(1) }))).to.deep.equal([]);
    expect(places({ schedule: { type: 'scheduled', at: hour(1).toISOString() }, endsAt: hour(2) })).to.deep.equal([]);
  });

  it('lists every link without https, and a source that has yet to be created', () => {
    const messages: DryRunFacts['messages'] = [
      {
        type: 'buttons',
        title: 'T',
        text: 't',
        image: 'http://shop.example/a.png',
        actions: [
          { type: 'Postback', label: 'Ask', data: { event: 'InboundReason' }, imageUrl: 'http://shop.example/i.png' },
          { type: 'Url', label: 'Safe', url: 'HTTPS://shop.example' },
          { type: 'Url', label: 'Open', url: 'http://shop.example' },
        ],
      },
      { type: 'image', url: 'http://shop.example/b.png' },
      { type: 'file', url: 'https://shop.example/c.pdf', name: 'c.pdf' },
    ];
    expect(places({ messages })).to.deep.equal([
      'source_pending',
      'link_without_https /messages/0/image',
      'link_without_https /messages/0/actions/0/imageUrl',
      'link_without_https /messages/0/actions/2/url',
      'link_without_https /messages/1/url',
    ]);
  });

  it('names each link that is sent as it is written, and why, in variants and steps as well', () => {
    const card = (...links: { url: string; tracked?: boolean }[]): DryRunFacts['messages'] => [
      {
        type: 'buttons',
        title: 'T',
        text: 't',
        image: 'https://shop.example/i.png?sig=1&se=2',
        actions: links.map((link) => ({ type: 'Url' as const, label: 'See', ...link })),
      },
    ];
    const room = 2048 - 'https://shop.example/?'.length;
    const signed = { url: 'https://files.example/?sig=1&se=2' };
    const messages = card(signed, { url: 'https://shop.example/', tracked: false }, { url: 'https://shop.example/' });
    const other = card({ url: 'https://line.me/R/ti/p/x' }, { url: `https://shop.example/?${'x'.repeat(room)}` });
    const variants = {
      name: 'A',
      sharePercent: 50,
      others: [{ name: 'B', sharePercent: 50, messages: other }],
    } as unknown as DryRunFacts['variants'];
    const named = { messages, variants, steps: [{ messages: card(signed) }] };
    const untracked = [
      'link_untracked /messages/0/actions/0/url',
      'link_untracked /messages/0/actions/1/url',
      'link_untracked /variants/others/0/messages/0/actions/0/url',
      'link_untracked /steps/0/messages/0/actions/0/url',
    ];
    expect(places(named)).to.deep.equal(untracked);
    const withLong = untracked.toSpliced(3, 0, 'link_too_long /variants/others/0/messages/0/actions/1/url');
    expect(places({ ...named, utm: { source: 's' } })).to.deep.equal(withLong);
    expect(places({ ...named, revenueWindowDays: 1 })).to.deep.equal(withLong);
    const tooLong = (characters: number) =>
      places({ messages: card({ url: `https://shop.example/?${'x'.repeat(characters)}` }), revenueWindowDays: 1 });
    const left = room - '&clickToken='.length - 75;
    expect([tooLong(left), tooLong(left + 1)]).to.deep.equal([[], ['link_too_long /messages/0/actions/0/url']]);
  });

  it('names variants that say the same, and those that nobody would get', () => {
    const [one, other]: DryRunFacts['messages'][] = [[{ type: 'text', text: 'A' }], [{ type: 'text', text: 'B' }]];
    const sharePercent = 25;
    const variants = {
      name: 'First',
      sharePercent,
      others: [
        { name: 'Second', sharePercent, messages: other },
        { name: 'Third', sharePercent, messages: one },
      ],
    } as unknown as NonNullable<DryRunFacts['variants']>;
    expect(places({ messages: one, variants, arms: [1, 1, 1, 0, 0, 1] })).to.deep.equal([
      'variants_alike /variants/others/1/messages',
    ]);
    const warnings = dryRunWarnings(facts({ messages: one, variants, arms: [0, 2, 1, 0, 0, 0] }));
    expect(warnings.map(({ path, message }) => [path, message])).to.deep.equal([
      ['/variants/others/1/messages', '"Third" says the same as "First"'],
      ['/messages', 'The share of "First" is nobody: the test would not begin'],
    ]);
  });

  it('names each variable that has no value, in the messages and in variants', () => {
    const messages: DryRunFacts['messages'] = [{ type: 'text', text: 'Until {{until}}, {{ name }} and {{until}}' }];
    const other: DryRunFacts['messages'] = [{ type: 'text', text: 'Only {{until}}' }];
    const variants = { name: 'A', sharePercent: 50, others: [{ name: 'B', sharePercent: 50, messages: other }] };
    const found = dryRunWarnings(facts({ messages, variants: variants as unknown as DryRunFacts['variants'] }));
    expect(found.map(({ code, path, message }) => [code, path, message.split(' ')[0]])).to.deep.equal([
      ['variable_left', '/messages', '{{until}}'],
      ['variable_left', '/messages', '{{name}}'],
      ['variable_left', '/variants/others/0/messages', '{{until}}'],
    ]);
    expect(places({ messages: [{ type: 'text', text: 'Braces {like} { {these}} stay' }] })).to.deep.equal([]);
  });

  it('looks at the messages that follow as well', () => {
    const steps: DryRunFacts['steps'] = [
      { messages: [{ type: 'text', text: 'A' }] },
      {
        messages: [
          { type: 'image', url: 'http://shop.example/d.png' },
          { type: 'text', text: '{{until}}' },
        ],
      },
    ];
    expect(places({ steps })).to.deep.equal([
      'link_without_https /steps/1/messages/0/url',
      'variable_left /steps/1/messages',
    ]);
  });

  it('counts contacts that are not reached, and reports an identical audience', () => {
    const excluded = { expiredTags: 3, unsubscribed: 2, unreachable: 1, controlGroup: 4 };
    const warnings = dryRunWarnings(
      facts({
        preview: { hitCount: 10, reachableCount: 0, excluded },
        sameAudience: { name: 'Yesterday', startedAt: hour(-24), scheduledAt: null },
      }),
    );
    expect(warnings.map(({ code, contacts }) => [code, contacts])).to.deep.equal([
      ['audience_empty', undefined],
      ['contacts_expired_tags', 3],
      ['contacts_unsubscribed', 2],
      ['contacts_unreachable', 1],
      ['contacts_in_control_group', 4],
      ['same_audience', 0],
    ]);
    expect(warnings.at(-1)?.message).to.equal(
      `"Yesterday" went to exactly these contacts at ${hour(-24).toISOString()}`,
    );
  });

  it('says of a campaign that waits that it is scheduled, and not that it went', () => {
    const sameAudience = { name: 'Thursday', startedAt: null, scheduledAt: hour(60) };
    expect(dryRunWarnings(facts({ sameAudience })).map(({ message }) => message)).to.deep.equal([
      `"Thursday" is scheduled for exactly these contacts at ${hour(60).toISOString()}`,
    ]);
    expect(dryRunWarnings(facts({ sameAudience: { ...sameAudience, scheduledAt: null } }))[0]?.message).to.equal(
      '"Thursday" is about to go to exactly these contacts',
    );
  });

  it('compares start and end with each other and with the clock', () => {
    const scheduled = (n: number) => ({ type: 'scheduled' as const, at: hour(n).toISOString() });
    expect(places({ schedule: scheduled(0) })).to.deep.equal(['schedule_passed /schedule/at']);
    expect(places({ schedule: scheduled(2), endsAt: hour(2) })).to.deep.equal(['end_before_start /endsAt']);
    expect(places({ endsAt: hour(0) })).to.deep.equal(['end_before_start /endsAt']);
  });
});
