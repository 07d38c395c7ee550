import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { createI18n } from 'vue-i18n';
import type { MatchCondition } from '#domain/rules/match-condition.ts';
import { campaignsOf, conditionSentence, plain, ruleSentence, type SpokenRule, type RuleLabels } from './sentence.ts';

const read = (locale: string) =>
  JSON.parse(readFileSync(new URL(`../../locales/${locale}.json`, import.meta.url), 'utf8')) as Record<string, never>;
const i18n = createI18n({
  legacy: false,
  locale: 'en',
  messages: { en: read('en'), 'zh-Hant': read('zh-Hant') },
});

type Translate = (key: string, named: object, options: { plural: number; locale: string }) => string;
const { t: translate } = i18n.global as unknown as { t: Translate };

function labelsOf(locale: 'en' | 'zh-Hant'): RuleLabels {
  return {
    t: (key, named, plural = 1) => translate(key, named, { plural, locale }),
    number: (value) => new Intl.NumberFormat('en-GB').format(value),
    dateTime: (at) => at.slice(0, 10),
    campaigns: new Map([['k1', 'Winter menu']]),
  };
}
const english = labelsOf('en');
const chinese = labelsOf('zh-Hant');

const rule = (more: Partial<SpokenRule> = {}): SpokenRule => ({
  triggerEvent: 'notice.clicked',
  matchCondition: { field: 'bizEventCode', op: 'eq', value: 'coupon-claimed' },
  days: null,
  campaignId: null,
  targetTagId: 't1',
  targetTag: { name: 'interested', kind: 'permanent', expiresAt: null },
  ...more,
});
const reported = (more: Partial<SpokenRule> = {}, words = english) => plain(ruleSentence(rule(more), words));

describe('sentence of a rule', () => {
  it('has its named parts marked', () => {
    expect(reported()).to.equal('When a notice is clicked and event code is coupon-claimed, tag interested for good');
    expect(ruleSentence(rule(), english).filter(({ kind }) => kind !== 'text')).to.deep.equal([
      { kind: 'value', text: 'coupon-claimed' },
      { kind: 'tag', text: 'interested', id: 't1' },
    ]);
  });

  it('puts the named things wherever the language needs them', () => {
    expect(reported({}, chinese)).to.equal('當訊息被點擊且事件代碼為「coupon-claimed」時，永久貼上「interested」');
    expect(ruleSentence(rule(), chinese).filter(({ kind }) => kind === 'tag')).to.have.length(1);
  });

  it('has each trigger with and without a condition, for good and until a day', () => {
    const until = { name: 'hot', kind: 'temporary' as const, expiresAt: '2026-12-01T00:00:00Z' };
    const all: MatchCondition = { all: [] };
    expect(reported({ matchCondition: all })).to.equal('When a notice is clicked, tag interested for good');
    expect(reported({ triggerEvent: 'session.created', matchCondition: all, targetTag: until })).to.equal(
      'When a campaign opens a conversation, tag hot until 2026-12-01',
    );
    expect(
      reported({
        triggerEvent: 'session.closed',
        matchCondition: { field: 'durationSeconds', op: 'gte', value: 1200 },
      }),
    ).to.equal(
      'When a conversation of a campaign is closed and duration in seconds is at least 1,200, tag interested for good',
    );
    const silence = { triggerEvent: 'no_response_for_N_days', matchCondition: all } as const;
    expect(reported({ ...silence, days: 1 })).to.equal(
      'When a contact has not responded to a campaign for 1 day, tag interested for good',
    );
    expect(reported({ ...silence, days: 7, campaignId: 'k1' })).to.equal(
      'When a contact has not responded to a campaign for 7 days and campaign is Winter menu, tag interested for good',
    );
    expect(reported({ ...silence, days: 7, targetTag: until }, chinese)).to.equal(
      '當聯絡人 7 天未回應活動時，貼上「hot」至 2026-12-01',
    );
  });

  it('puts nested groups in brackets', () => {
    const matchCondition: MatchCondition = {
      any: [
        {
          all: [
            { field: 'url', op: 'prefix', value: 'https://a' },
            { not: { field: 'campaignId', op: 'eq', value: 'k1' } },
          ],
        },
        { field: 'actionIndex', op: 'in', value: [0, 1] },
      ],
    };
    expect(plain(conditionSentence(matchCondition, english))).to.equal(
      '(link begins with https://a and not (campaign is Winter menu)) or button number, counted from 0, is one of 0, 1',
    );
    expect(plain(conditionSentence(matchCondition, chinese))).to.equal(
      '（連結以「https://a」開頭且非（活動為「Winter menu」））或按鈕編號（從 0 起）為 0、1 其中之一',
    );
    expect(reported({ matchCondition, campaignId: 'k2' })).to.contain('and campaign is k2 and ((link begins');
    expect(reported({ matchCondition })).to.contain('clicked and ((link begins');
  });

  it('keeps any text as typed, and shortens long lists', () => {
    const value = '{tag} | \uE0000\uE001 @:common.back';
    expect(reported({ matchCondition: { field: 'bizEventCode', op: 'eq', value } })).to.contain(`is ${value},`);
    const many = Array.from({ length: 9 }, (_, index) => `c${index}`);
    expect(reported({ matchCondition: { field: 'bizEventCode', op: 'in', value: many } })).to.contain(
      'is one of c0, c1, c2, c3, c4, 4 more,',
    );
    const condition: MatchCondition = { field: 'bizEventCode', op: 'in', value: many };
    expect(plain(conditionSentence(condition, english, 'whole'))).to.match(/c0, .*, c8$/);
    expect(reported({ matchCondition: { any: [] } })).to.contain('and nothing matches,');
  });

  it('tells a value with a separator from two values', () => {
    const matchCondition: MatchCondition = { field: 'bizEventCode', op: 'in', value: ['a,b', 'c', 'd 1'] };
    expect(plain(conditionSentence(matchCondition, english))).to.equal('event code is one of “a,b”, c, “d 1”');
    expect(plain(conditionSentence(matchCondition, chinese))).to.equal('事件代碼為 「a,b」、c、「d 1」 其中之一');
  });

  it('knows the campaigns that it names', () => {
    const matchCondition: MatchCondition = {
      any: [
        { field: 'campaignId', op: 'in', value: ['k2', 'k1'] },
        { not: { field: 'campaignId', op: 'eq', value: 'k3' } },
        { field: 'campaignId', op: 'prefix', value: 'k' },
      ],
    };
    expect(campaignsOf({ matchCondition, campaignId: 'k1' })).to.deep.equal(['k1', 'k2', 'k3']);
  });
});
