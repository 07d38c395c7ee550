import { expect } from 'chai';
import type { Campaign } from '#domain/api/campaign.ts';
import type { Audience } from '#domain/api/audiences.ts';
import type { Message } from '#domain/api/messages.ts';
import { fieldsOf } from './checks.ts';
import { draftAudienceOf, idsOf } from './audience.ts';
import { messageOf } from './cards.ts';
import { instantOf, readingOf } from './date-time.ts';
import { draftFields, draftOf, newDraft, rawOf } from './draft.ts';
import { filledSteps } from '../steps.ts';

const card: Message = {
  type: 'buttons',
  title: 'Spring sale',
  text: 'Two days only',
  image: 'https://shop.example/a.png',
  actions: [
    { type: 'Url', label: 'Look', url: 'https://shop.example/', isDefault: true },
    { type: 'Url', label: 'Sign', url: 'https://shop.example/s', tracked: false },
    { type: 'Url', label: 'Map', url: 'https://shop.example/m', tracked: true },
    { type: 'Postback', label: 'Coupon', data: { event: 'InboundReason', bizEventCode: 'coupon-claimed', level: 2 } },
  ],
};

function reread(messages: Message[]): Message[] {
  const stored = { messages, audience: { type: 'contacts', contactIds: ['a'] }, schedule: { type: 'immediate' } };
  return draftOf({ ...stored, name: 'n', note: null, endsAt: null } as unknown as Campaign, 'UTC').cards.map(messageOf);
}

const issuesOf = (change: (draft: ReturnType<typeof newDraft>) => void) => {
  const draft = newDraft();
  change(draft);
  return fieldsOf(draft).issues.map(({ at, key }) => `${at}: ${key}`);
};

describe('draft of a campaign', () => {
  it('is unchanged by loading it into the editor', () => {
    const messages: Message[] = [
      card,
      { type: 'text', text: 'Hi' },
      { type: 'image', url: 'https://shop.example/b.png' },
      { type: 'file', url: 'https://shop.example/c.pdf', name: 'c.pdf' },
    ];
    expect(reread(messages)).to.deep.equal(messages);
  });

  it('reads Postback data that was stored as JSON text, without the reserved fields', () => {
    const data = JSON.stringify({ appId: 'x', campaignId: 'y', bizEventCode: 'a', own: true });
    const [message] = reread([{ ...card, actions: [{ type: 'Postback', label: 'A', data }] }]);
    expect(message).to.deep.include({
      actions: [{ type: 'Postback', label: 'A', data: { own: true, event: 'Broadcast', bizEventCode: 'a' } }],
    });
  });

  it('keeps a segment, and counts as unchanged however often it is read', () => {
    const audience: Audience = {
      type: 'segment',
      segment: { all: [{ reached: { lastDays: 7 } }, { not: { clicked: { campaigns: { campaignIds: ['c'] } } } }] },
    };
    const { read, write } = draftFields.audience;
    expect(write(read({ audience } as never, 'UTC'))).to.deep.equal(audience);
    const raw = () => rawOf({ ...newDraft(), audience: draftAudienceOf(audience) }).audience;
    expect(raw()).to.equal(raw());
    expect(filledSteps(newDraft())).to.deep.equal([]);
  });

  it('reads ids however they are pasted', () => {
    expect(idsOf('a, b;c\n\n a\td')).to.deep.equal(['a', 'b', 'c', 'd']);
    expect(idsOf('  ')).to.deep.equal([]);
  });

  it('keeps whether the audience is resolved when the campaign starts', () => {
    const { read, write } = draftFields.schedule;
    for (const schedule of [
      { type: 'immediate' },
      { type: 'scheduled', at: '2026-11-24T01:00:00.000Z' },
      { type: 'scheduled', at: '2026-11-24T01:00:00.000Z', audience: 'at_start' },
    ])
      expect(write(read({ schedule } as never, 'Europe/Berlin'))).to.deep.equal(schedule);
  });

  it('converts a date-time to a zone and back, also in the repeated hour', () => {
    for (const at of ['2026-11-24T01:00:00.000Z', '2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z']) {
      expect(instantOf(readingOf(at, 'Europe/Berlin'))?.toISOString()).to.equal(at);
    }
    expect(instantOf({ date: '2026-03-29', time: '02:30', zone: 'Europe/Berlin', second: false })).to.equal(null);
  });
});

describe('checks of a draft', () => {
  it('names every place that needs fixing', () => {
    expect(issuesOf(() => {})).to.deep.equal([
      'name: blank',
      'messages/0/title: blank',
      'messages/0/text: blank',
      'messages/0/actions/0/label: blank',
      'messages/0/actions/0/url: blank',
      'audience: tooFew',
    ]);
  });

  it('validates addresses, JSON and date-times', () => {
    const found = issuesOf((draft) => {
      const button = draft.cards[0]?.buttons[0];
      if (button) Object.assign(button, { label: 'x', url: 'ftp://x' });
      draft.cards[0]?.buttons.push({ ...newDraft().cards[0]?.buttons[0], kind: 'Postback', extra: '[1]' } as never);
      draft.start = { date: '2026-03-29', time: '02:30', zone: 'Europe/Berlin', second: false, atStart: false };
    });
    expect(found).to.include.members([
      'messages/0/actions/0/url: address',
      'messages/0/actions/1/extra: json',
      'schedule: dateTime',
    ]);
  });
});
