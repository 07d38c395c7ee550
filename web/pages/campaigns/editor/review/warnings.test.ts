import { expect } from 'chai';
import type { Campaign } from '#domain/api/campaign.ts';
import { type Draft, newDraft } from '../draft/draft.ts';
import { newTest } from '../draft/variants.ts';
import { newStep } from '../following/draft-steps.ts';
import { imagesOf, warningsOf } from './warnings.ts';

const now = new Date('2026-11-21T12:00:00Z');
const utc = (date: string, time: string) => ({ date, time, zone: 'UTC', second: false });
const keysOf = (draft: Draft, reachable: number | null = 10, recent: Campaign[] = []) =>
  warningsOf(draft, { now, utm: null, reachable, recent, ownId: null }).map(({ key }) => key);

describe('warnings before sending', () => {
  it('are none for a sound draft', () => {
    expect(keysOf(newDraft())).to.deep.equal([]);
  });

  it('name links without https, times in the wrong order, and an empty audience', () => {
    const draft = newDraft();
    const button = draft.cards[0]?.buttons[0];
    if (button) button.url = 'http://shop.example';
    draft.start = { ...utc('2026-11-20', '09:00'), atStart: false };
    draft.end = utc('2026-11-19', '09:00');
    expect(keysOf(draft, 0)).to.deep.equal(['insecureLink', 'endBeforeStart', 'startInPast', 'nobody']);
  });

  it('look at every variant, and name those that say the same', () => {
    const draft = newDraft();
    const button = draft.cards[0]?.buttons[0];
    if (button) button.url = 'http://shop.example';
    const test = newTest(draft.cards);
    draft.variants = test;
    const found = warningsOf(draft, { now, utm: null, reachable: 10, recent: [], ownId: null });
    expect(found).to.deep.equal([
      { key: 'insecureLink', params: { url: 'http://shop.example' } },
      { key: 'variantsAlike', params: { one: 'A', other: 'B' } },
    ]);
    const other = test.others[0]?.cards[0];
    Object.assign(other ?? {}, { title: 'Other', url: 'http://shop.example/b.png' });
    expect(keysOf(draft)).to.deep.equal(['insecureLink', 'insecureLink']);
    expect(imagesOf(draft)).to.deep.equal(['http://shop.example/b.png']);
  });

  it('name each link that is sent as it is typed, by its place', () => {
    const draft = newDraft();
    const button = draft.cards[0]?.buttons[0];
    if (button) Object.assign(button, { url: ' https://files.example/?sig=1&se=2 ' });
    draft.following = [newStep()];
    const next = draft.following[0]?.cards[0]?.buttons[0];
    if (next) Object.assign(next, { url: `https://shop.example/?${'x'.repeat(2000)}` });
    const found = (utm: { source: string } | null) =>
      warningsOf(draft, { now, utm, reachable: 10, recent: [], ownId: null }).map(({ key, place }) => [key, place]);
    const signed = ['linkUntracked', 'messages/0/actions/0/url'];
    expect(found(null)).to.deep.equal([signed]);
    expect(found({ source: 'harbor-coffee-shop' })).to.deep.equal([
      signed,
      ['linkTooLong', 'steps/0/messages/0/actions/0/url'],
    ]);
    if (next) Object.assign(next, { tracked: false });
    expect(found(null).map(([key]) => key)).to.deep.equal(['linkUntracked', 'linkUntracked']);
  });

  it('name variables that have no value, wherever they are written', () => {
    const draft = newDraft();
    Object.assign(draft.cards[0] ?? {}, { title: 'Until {{until}}', text: 'For {{name}}' });
    draft.variants = newTest(draft.cards);
    Object.assign(draft.variants.others[0]?.cards[0] ?? {}, { text: '{{price}}' });
    const found = warningsOf(draft, { now, utm: null, reachable: 10, recent: [], ownId: null });
    expect(found.map(({ key, params }) => [key, params['name']])).to.deep.equal(
      ['until', 'name', 'price'].map((name) => ['variableLeft', `{{${name}}}`]),
    );
  });

  it('look at the messages that follow', () => {
    const draft = newDraft();
    draft.following = [newStep()];
    Object.assign(draft.following[0]?.cards[0] ?? {}, { title: 'For {{name}}', url: 'http://shop.example/c.png' });
    expect(keysOf(draft)).to.deep.equal(['insecureLink', 'variableLeft']);
    expect(imagesOf(draft)).to.deep.equal(['http://shop.example/c.png']);
  });

  it('name a campaign from the last two days with the same audience', () => {
    const draft = newDraft();
    draft.audience.appTagIds = ['t1'];
    const sent = (sentAt: string, status = 'completed', delivered = 5) =>
      ({
        id: 'c9',
        name: 'Old',
        sentAt,
        startedAt: sentAt,
        schedule: { type: 'immediate' },
        status,
        summary: { sent: delivered, delivered, failed: 0, read: 0 },
        audience: { type: 'app_tags', appTagIds: ['t1'], tagOperator: 'AND' },
      }) as Campaign;
    expect(keysOf(draft, 10, [sent('2026-11-20T12:00:00Z')])).to.deep.equal(['sameAudience']);
    expect(keysOf(draft, 10, [sent('2026-11-10T12:00:00Z')])).to.deep.equal([]);
    // A campaign that reached nobody does not count as a repetition.
    expect(keysOf(draft, 10, [sent('2026-11-20T12:00:00Z', 'cancelled', 0)])).to.deep.equal([]);
    expect(keysOf(draft, 10, [sent('2026-11-20T12:00:00Z', 'cancelled', 1)])).to.deep.equal(['sameAudience']);
    const at = '2026-11-24T01:00:00Z';
    const scheduled: Campaign = {
      ...sent('2026-11-20T12:00:00Z', 'scheduled', 0),
      startedAt: null,
      schedule: { type: 'scheduled', at },
    };
    expect(warningsOf(draft, { now, utm: null, reachable: 10, recent: [scheduled], ownId: null })).to.deep.equal([
      { key: 'sameAudienceScheduled', params: { name: 'Old' }, at },
    ]);
    expect(keysOf(draft, 10, [{ ...scheduled, status: 'cancelled' }])).to.deep.equal([]);
    expect(keysOf(draft, 10, [{ ...scheduled, status: 'sending', schedule: { type: 'immediate' } }])).to.deep.equal([
      'sameAudienceSending',
    ]);
  });
});
