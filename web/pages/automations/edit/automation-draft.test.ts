import { expect } from 'chai';
import type { Automation, AutomationBody, AutomationTrigger } from '#domain/api/automations.ts';
import { newSegment } from '#web/pages/audiences/segment/segment-draft.ts';
import { newCard } from '#web/pages/campaigns/editor/draft/cards.ts';
import { newDraft } from '#web/pages/campaigns/editor/draft/draft.ts';
import { checkAutomation } from './automation-check.ts';
import {
  type AutomationDraft,
  bodyOf,
  changesIn,
  draftOfAutomation,
  newAutomation,
  newStep,
} from './automation-draft.ts';

const zone = 'Asia/Taipei';
const text = (words: string) => [{ type: 'text' as const, text: words }];

function automation(more: Partial<AutomationBody> = {}): Automation {
  return {
    automationId: 'a1',
    etag: '"1"',
    serviceNumberId: 'sn1',
    name: 'Welcome',
    trigger: { event: 'contact.followed' },
    filter: { all: [{ tag: 't1' }] },
    delay: { minutes: 120 },
    steps: [
      { messages: text('Hello'), delay: null, if: null },
      { messages: text('Again'), delay: { minutes: 2880 }, if: 'not_clicked' },
    ],
    entry: { afterDays: 30 },
    quietHours: { from: '21:00', to: '08:00', zone },
    maxPerDay: 500,
    exitOn: { all: [{ not: { tag: 't2' } }] },
    endsAt: '2026-12-31T16:00:00.000Z',
    holdoutPercent: 10,
    utm: { source: 'line' },
    channels: ['default'],
    revenueWindowDays: 7,
    status: 'draft',
    pauseReason: null,
    endReason: null,
    approval: null,
    activatedAt: null,
    startedBy: null,
    counts: { entered: 0, waiting: 0, sent: 0, skipped: 0, unknown: 0 },
    createdBy: 'ada',
    createdAt: '2026-11-01T00:00:00.000Z',
    updatedAt: '2026-11-01T00:00:00.000Z',
    ...more,
  } as Automation;
}

const written = ({ name, trigger, filter, delay, steps, entry, quietHours, ...rest }: Automation) => {
  const { maxPerDay, exitOn, endsAt, holdoutPercent, utm, revenueWindowDays } = rest;
  const limits = { maxPerDay, exitOn, endsAt, holdoutPercent, utm, revenueWindowDays };
  return { name, trigger, filter, delay, steps, entry, quietHours, ...limits };
};

const triggers: AutomationTrigger[] = [
  { event: 'contact.entered' },
  { event: 'contact.followed' },
  { event: 'tag.assigned', tagId: 't1' },
  { event: 'tag.removed', tagId: 't1' },
  { event: 'notice.clicked' },
  { event: 'notice.clicked', campaignIds: ['c1', 'c2'], actionIndex: 0, bizEventCode: 'buy' },
  { event: 'session.closed' },
  { event: 'session.closed', minMessages: 3 },
  { event: 'order.paid' },
  { event: 'order.refunded', minAmount: 99.5, currency: 'TWD' },
  { event: 'date', attribute: 'birthday', offsetDays: 0, at: '09:00', zone, yearly: true },
  { event: 'date', attribute: 'expires', offsetDays: -14, at: '10:30', zone: 'UTC', yearly: false },
  { event: 'segment.entered', segment: { all: [{ tag: 't1' }] }, every: 'hour' },
  { event: 'segment.entered', segment: { all: [{ tag: 't1' }] }, every: 'day', at: '06:00', zone },
];

describe('draft of an automation', () => {
  for (const trigger of triggers) {
    it(`keeps all of what is stored: ${JSON.stringify(trigger)}`, () => {
      const stored = automation({ trigger });
      const { body, issues } = checkAutomation(draftOfAutomation(stored, zone), null);
      expect(issues).to.deep.equal([]);
      expect(body).to.deep.equal(written(stored));
    });
  }

  const byLanguage = (values: string[][]) => ({
    field: 'language' as const,
    cases: values.map((own) => ({ values: own, messages: text(own.join(' ')) })),
    otherwise: 'skip' as const,
  });

  it('keeps messages by case of each step, and names what they lack', () => {
    const messages = { messages: null, messagesBy: byLanguage([['ja'], ['zh-TW', 'zh-Hant']]) };
    const stored = automation();
    const [first, second] = stored.steps;
    if (!first || !second) throw new Error('it has two steps');
    const cases = {
      ...stored,
      steps: [
        { ...first, ...messages },
        { ...second, ...messages },
      ],
    };
    const draft = draftOfAutomation(cases, zone);
    const { body, issues } = checkAutomation(draft, null);
    expect(issues).to.deep.equal([]);
    expect(body?.steps).to.deep.equal(cases.steps.map(({ messages: _none, ...step }) => step));
    const later = draft.later[0]?.campaign.cases;
    if (!later) throw new Error('the second step has no cases');
    later.skips = false;
    later.cases[0]?.cards.push(newCard('text'));
    for (const one of later.cases) one.values = 'ja';
    expect(checkAutomation(draft, null).issues.map(({ at, key }) => [at, key])).to.have.deep.members([
      ['steps/1/messagesBy/cases/0/messages/1/text', 'blank'],
      ['steps/1/messagesBy/cases/1/values', 'sameValues'],
      ['steps/1/messagesBy/otherwise/0/title', 'blank'],
      ['steps/1/messagesBy/otherwise/0/text', 'blank'],
      ['steps/1/messagesBy/otherwise/0/actions/0/label', 'blank'],
      ['steps/1/messagesBy/otherwise/0/actions/0/url', 'blank'],
    ]);
  });

  it('leaves out usual quiet hours, takes usual parameters of links, and says that it wants none of them', () => {
    const draft = newAutomation(zone);
    expect(bodyOf(draft, { source: 'line' })).to.deep.include({ utm: { source: 'line' }, delay: { minutes: 0 } });
    expect(bodyOf(draft, null)).to.not.have.property('quietHours');
    draft.campaign.pace.quiet = null;
    expect(bodyOf(draft, null)).to.include({ quietHours: 'none' });
  });

  it('says what differs', () => {
    const draft = draftOfAutomation(automation(), zone);
    const before = bodyOf(draft, null);
    draft.maxPerDay = null;
    draft.later[0]?.campaign.cards.push({ ...newCard('text'), text: 'And more' });
    expect(Object.keys(changesIn(before, bodyOf(draft, null)))).to.have.members(['maxPerDay', 'steps']);
  });

  it('names the place of each thing that is missing or wrong', () => {
    const draft: AutomationDraft = {
      ...newAutomation(zone),
      filter: newSegment(),
      delay: { amount: '91', unit: 'days' },
      later: [
        { ...newStep(), delay: { amount: 'x', unit: 'days' }, campaign: { ...newDraft(), cards: [newCard('text')] } },
      ],
      entry: 'afterDays',
      entryDays: '0',
      maxPerDay: '',
    };
    draft.trigger = { ...draft.trigger, event: 'order.paid', minAmount: '1.234', currency: 'XX' };
    draft.campaign.cards = [{ ...newCard('text'), text: 'Hello' }];
    const { body, issues } = checkAutomation(draft, null);
    expect(body).to.equal(null);
    expect(issues.map(({ at, key, max }) => [at, key, ...(max === undefined ? [] : [max])])).to.have.deep.members([
      ['name', 'blank'],
      ['trigger/minAmount', 'amount'],
      ['trigger/currency', 'invalid'],
      ['delay/minutes', 'delay', 90],
      ['steps/1/delay/minutes', 'delay', 90],
      ['steps/1/messages/0/text', 'blank'],
      ['entry/afterDays', 'wholeNumber', 366],
      ['maxPerDay', 'wholeNumber', 1_000_000],
      ['filter', 'invalid'],
    ]);
  });
});
