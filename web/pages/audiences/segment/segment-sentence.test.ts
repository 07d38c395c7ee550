import { expect } from 'chai';
import type { Segment } from '#domain/api/segments.ts';
import english from '#web/locales/en.json' with { type: 'json' };
import chinese from '#web/locales/zh-Hant.json' with { type: 'json' };
import { createI18n } from 'vue-i18n';
import { namedCampaigns, namedLists, segmentSentence } from './segment-sentence.ts';

const { global: i18n } = createI18n({ legacy: false, locale: 'en', messages: { en: english, 'zh-Hant': chinese } });
const campaign = (name: string) => ({
  name,
  messages: [
    { type: 'text', text: 'Hi' },
    { type: 'buttons', title: 'T', text: 'X', actions: [{ type: 'Url', label: 'Look', url: 'https://a.example' }] },
  ] as never,
});

function says(segment: Segment, locale: 'en' | 'zh-Hant' = 'en'): string {
  const list = new Intl.ListFormat(locale === 'en' ? 'en-GB' : 'zh-Hant-TW', { type: 'disjunction' });
  return segmentSentence(segment, {
    t: (key, named, plural = 1) => i18n.t(key, named, { plural, locale }),
    number: String,
    oneOf: (names) => list.format(names),
    tagName: (id) => (id === 't1' ? 'Regulars' : id),
    listName: (id) => (id === 'l1' ? 'Members' : id),
    campaigns: new Map([
      ['c1', campaign('Spring')],
      ['c2', campaign('Autumn')],
    ]),
  });
}

describe('sentence of a segment', () => {
  const followUp: Segment = {
    all: [
      { reached: { campaignIds: ['c1'] } },
      { not: { clicked: { campaigns: { campaignIds: ['c1'] } } } },
      { tag: 't1' },
    ],
  };

  it('says who is in it, in both languages', () => {
    expect(says(followUp)).to.equal(
      'Contacts who were reached by “Spring” and did not click any button of “Spring” and have the tag “Regulars”',
    );
    expect(says(followUp, 'zh-Hant')).to.equal(
      '收到「Spring」，且未點擊「Spring」的任何按鈕，且具備標籤「Regulars」的聯絡人',
    );
  });

  it('names buttons, codes, days and fields, and puts brackets where groups mix', () => {
    const segment: Segment = {
      any: [
        {
          all: [
            { clicked: { campaigns: { campaignIds: ['c1'] }, messageIndex: 1, actionIndex: 0 } },
            { not: { clicked: { campaigns: { lastDays: 1 }, bizEventCode: 'buy' } } },
          ],
        },
        { not: { any: [{ conversed: { campaignIds: ['c1', 'c2', 'c3'] } }, { tag: 't2' }] } },
        { profile: { field: 'attribute', name: 'born', test: { op: 'days_ago', from: 1, to: 7 } } },
        { not: { profile: { field: 'language', test: { op: 'ne', value: 'ja' } } } },
      ],
    };
    expect(says(segment)).to.equal(
      'Contacts who (clicked “Look” of “Spring” and did not click any button of any campaign of the last 1 day with the event code “buy”)' +
        ' or match none of (opened a conversation from “Spring”, “Autumn” or “c3” or have the tag “t2”)' +
        ' or have a day 1 to 7 days ago as the attribute “born” or have “ja” as language',
    );
  });

  it('names five of a longer list, and loads no more', () => {
    const segment: Segment = { reached: { campaignIds: ['c1', 'a', 'b', 'c', 'd', 'e', 'f'] } };
    expect(says(segment)).to.equal('Contacts who were reached by “Spring”, “a”, “b”, “c”, “d” or 2 more');
    expect(namedCampaigns(segment)).to.deep.equal(['c1', 'a', 'b', 'c', 'd']);
  });

  it('says how often, who is in a list, when contacts entered and what is compared without case', () => {
    const of = { campaignIds: ['c1'] };
    const segment = {
      all: [
        { clicked: { campaigns: of, times: { gte: 2 } } },
        { reached: { ...of, times: { gte: 1, lte: 3 } } },
        { conversed: { ...of, times: { lte: 0 } } },
        { not: { reached: { ...of, times: { lte: 1 } } } },
        { inList: { audienceId: 'l1' } },
        { not: { entered: { lastDays: 1 } } },
        { entered: { before: '2026-03-01' } },
        { profile: { field: 'language', test: { op: 'eq', value: 'EN', fold: true } } },
      ],
    } satisfies Segment;
    expect(says(segment)).to.equal(
      'Contacts who clicked any button of “Spring”, at least 2 times and were reached by “Spring”, 1 to 3 times' +
        ' and opened a conversation from “Spring”, never and match none of (were reached by “Spring”, at most 1 time)' +
        ' and are in the list “Members” and did not enter within the last 1 day and entered before 2026-03-01' +
        ' and have “EN” as language, ignoring case',
    );
    expect(says({ all: segment.all.slice(0, 2) }, 'zh-Hant')).to.equal(
      '點擊了「Spring」的任何按鈕，至少 2 次，且收到「Spring」，1 至 3 次的聯絡人',
    );
    expect(namedLists(segment)).to.deep.equal(['l1']);
  });

  it('shows what is not chosen yet', () => {
    expect(says({ all: [{ tag: '' }, { reached: { campaignIds: [] } }] })).to.equal(
      'Contacts who have the tag “…” and were reached by …',
    );
  });
});
