import type { Automation, AutomationTrigger } from '#domain/api/automations.ts';
import { AUTOMATION_STEPS } from '#domain/automations/limits.ts';
import type { StepOutcome } from '#domain/campaigns/steps/limits.ts';
import type { Utm } from '#domain/campaigns/templates/utm.ts';
import {
  newSegment,
  type SegmentDraft,
  segmentDraftOf,
  segmentOf,
} from '#web/pages/audiences/segment/segment-draft.ts';
import { cardOf, messageOf, newCard } from '#web/pages/campaigns/editor/draft/cards.ts';
import { draftCasesOf, messagesByOf } from '#web/pages/campaigns/editor/draft/cases.ts';
import { type Draft, draftFields, newDraft } from '#web/pages/campaigns/editor/draft/draft.ts';
import { readingOf } from '#web/pages/campaigns/editor/draft/date-time.ts';
import type { TriggerEvent } from '../trigger-keys.ts';
import { type DelayUnit, delayOf, minutesIn } from '../delay.ts';

/** A delay as typed. */
export interface DelayDraft {
  amount: string;
  unit: DelayUnit;
}

/** A step after the first. */
export interface LaterStep {
  key: string;
  delay: DelayDraft;
  /** Of the step before; `any`: whatever the contact did. */
  condition: StepOutcome | 'any';
  /** Of which it has the messages alone. */
  campaign: Draft;
}

/** A trigger while it is chosen: what its event does not use stays as it was. Numbers are as typed, empty for none. */
export interface TriggerDraft {
  event: TriggerEvent;
  tagId: string;
  campaignIds: string[];
  /** Counted from 1. */
  button: string;
  eventCode: string;
  minMessages: string;
  minAmount: string;
  currency: string;
  attribute: string;
  days: string;
  side: 'after' | 'before';
  at: string;
  zone: string;
  yearly: boolean;
  segment: SegmentDraft;
  every: 'hour' | 'day';
}

/** An automation while it is edited. What it sends is a campaign, of which it has the name, the first messages and more. */
export interface AutomationDraft {
  campaign: Draft;
  trigger: TriggerDraft;
  /** Null: everybody whom the trigger brings. */
  filter: SegmentDraft | null;
  delay: DelayDraft;
  later: LaterStep[];
  entry: 'once' | 'afterDays' | 'every';
  /** As typed; counts only where the entry is `afterDays`. */
  entryDays: string;
  /** Null: any number. */
  maxPerDay: string | null;
  /** Null: nothing ends it for a contact. */
  exitOn: SegmentDraft | null;
}

let keys = 0;
const nextKey = () => `s${(keys += 1)}`;

/** The default: a day later, whatever the contact did. */
export const newStep = (): LaterStep => ({
  key: nextKey(),
  delay: { amount: '1', unit: 'days' },
  condition: 'any',
  campaign: newDraft(),
});

export const mayAddStep = ({ later }: AutomationDraft): boolean => later.length + 1 < AUTOMATION_STEPS;

/** The campaigns of which the steps have their messages. */
export const stepsIn = ({ campaign, later }: Pick<AutomationDraft, 'campaign' | 'later'>): Draft[] => [
  campaign,
  ...later.map((step) => step.campaign),
];

/** Times are of `zone`. */
export function newAutomation(zone: string): AutomationDraft {
  return {
    campaign: newDraft(),
    trigger: {
      event: 'contact.followed',
      tagId: '',
      campaignIds: [],
      button: '',
      eventCode: '',
      minMessages: '',
      minAmount: '',
      currency: '',
      attribute: '',
      days: '0',
      side: 'after',
      at: '09:00',
      zone,
      yearly: true,
      segment: newSegment(),
      every: 'day',
    },
    filter: null,
    delay: { amount: '0', unit: 'minutes' },
    later: [],
    entry: 'once',
    entryDays: '30',
    maxPerDay: null,
    exitOn: null,
  };
}

function delayDraftOf({ minutes }: { minutes: number }): DelayDraft {
  const { amount, unit } = delayOf(minutes);
  return { amount: amount.toString(), unit };
}

const typed = (number: number | undefined) => number?.toString() ?? '';

function triggerDraftOf(trigger: AutomationTrigger): Partial<TriggerDraft> {
  switch (trigger.event) {
    case 'contact.entered':
    case 'contact.followed':
      return {};
    case 'tag.assigned':
    case 'tag.removed':
      return { tagId: trigger.tagId };
    case 'notice.clicked': {
      const { campaignIds = [], actionIndex, bizEventCode = '' } = trigger;
      const button = actionIndex === undefined ? '' : typed(actionIndex + 1);
      return { campaignIds: [...campaignIds], button, eventCode: bizEventCode };
    }
    case 'session.closed':
      return { minMessages: typed(trigger.minMessages) };
    case 'order.paid':
    case 'order.refunded':
      return { minAmount: typed(trigger.minAmount), currency: trigger.currency ?? '' };
    case 'date': {
      const { attribute, offsetDays, at, zone, yearly } = trigger;
      const side = offsetDays < 0 ? 'before' : 'after';
      return { attribute, days: typed(Math.abs(offsetDays)), side, at, zone, yearly };
    }
    case 'segment.entered': {
      const { segment, every, at = '00:00', zone = 'UTC' } = trigger;
      return { segment: segmentDraftOf(segment), every, at, zone };
    }
  }
}

/** The messages of a step as they are edited. */
const choiceIn = ({ messages, messagesBy }: Partial<Pick<Automation['steps'][number], 'messages' | 'messagesBy'>>) => ({
  cards: messages?.map(cardOf) ?? [newCard('buttons')],
  cases: draftCasesOf(messagesBy ?? null),
});

/** A stored automation as the form shows it, with times read in `zone`. */
export function draftOfAutomation(automation: Automation, zone: string): AutomationDraft {
  const { trigger, filter, delay, steps, entry, maxPerDay, exitOn, endsAt, holdoutPercent } = automation;
  const { name, quietHours, utm, revenueWindowDays } = automation;
  const [first, ...others] = steps;
  const fresh = newAutomation(zone);
  return {
    campaign: {
      ...fresh.campaign,
      name,
      ...choiceIn(first ?? {}),
      end: endsAt === null ? null : readingOf(endsAt, zone),
      holdout: holdoutPercent?.toString() ?? null,
      revenueWindow: revenueWindowDays?.toString() ?? null,
      pace: { ...fresh.campaign.pace, quiet: quietHours },
      utm,
    },
    trigger: { ...fresh.trigger, event: trigger.event, ...triggerDraftOf(trigger) },
    filter: filter && segmentDraftOf(filter),
    delay: delayDraftOf(delay),
    later: others.map((step) => ({
      key: nextKey(),
      delay: delayDraftOf(step.delay ?? { minutes: 0 }),
      condition: step.if ?? 'any',
      campaign: { ...newDraft(), ...choiceIn(step) },
    })),
    entry: typeof entry === 'string' ? entry : 'afterDays',
    entryDays: typeof entry === 'string' ? fresh.entryDays : entry.afterDays.toString(),
    maxPerDay: maxPerDay?.toString() ?? null,
    exitOn: exitOn && segmentDraftOf(exitOn),
  };
}

// What is not a number stays as it is, for the schema to reject.
const numberOf = (text: string) => (/^\d+$/.test(text.trim()) ? Number(text) : text);
const amountOf = (text: string) => (/^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : text);

function delayBody({ amount, unit }: DelayDraft) {
  const count = numberOf(amount);
  return { minutes: typeof count === 'number' ? count * minutesIn[unit] : count };
}

function triggerBody(draft: TriggerDraft): Record<string, unknown> {
  const { event, campaignIds, eventCode, minMessages, minAmount, currency } = draft;
  switch (event) {
    case 'contact.entered':
    case 'contact.followed':
      return { event };
    case 'tag.assigned':
    case 'tag.removed':
      return { event, tagId: draft.tagId };
    case 'notice.clicked': {
      const button = numberOf(draft.button);
      return {
        event,
        ...(campaignIds.length > 0 && { campaignIds: [...campaignIds] }),
        ...(draft.button.trim() !== '' && { actionIndex: typeof button === 'number' ? button - 1 : button }),
        ...(eventCode.trim() !== '' && { bizEventCode: eventCode.trim() }),
      };
    }
    case 'session.closed':
      return { event, ...(minMessages.trim() !== '' && { minMessages: numberOf(minMessages) }) };
    case 'order.paid':
    case 'order.refunded':
      return {
        event,
        ...(minAmount.trim() !== '' && { minAmount: amountOf(minAmount), currency: currency.trim().toUpperCase() }),
      };
    case 'date': {
      const days = numberOf(draft.days);
      const offsetDays = typeof days === 'number' && draft.side === 'before' ? -days : days;
      const { at, zone, yearly } = draft;
      return { event, attribute: draft.attribute.trim(), offsetDays, at, zone, yearly };
    }
    case 'segment.entered': {
      const { every, at, zone } = draft;
      return { event, segment: segmentOf(draft.segment), every, ...(every === 'day' && { at, zone }) };
    }
  }
}

/** Without a delay and a condition, which the first has not. */
const stepBody = ({ cards, cases }: Draft) =>
  cases ? { messagesBy: messagesByOf(cases) } : { messages: cards.map(messageOf) };

/**
 * What the form says, as the API expects it, whether valid or not. `usualUtm` are the parameters that the tenant's settings give
 * new campaigns; usual quiet hours are left out.
 */
export function bodyOf(draft: AutomationDraft, usualUtm: Utm | null): Record<string, unknown> {
  const { campaign, entry } = draft;
  const { quiet } = campaign.pace;
  return {
    name: campaign.name.trim(),
    trigger: triggerBody(draft.trigger),
    filter: draft.filter && segmentOf(draft.filter),
    delay: delayBody(draft.delay),
    steps: [
      { ...stepBody(campaign), delay: null, if: null },
      ...draft.later.map((step) => ({
        ...stepBody(step.campaign),
        delay: delayBody(step.delay),
        if: step.condition === 'any' ? null : step.condition,
      })),
    ],
    entry: entry === 'afterDays' ? { afterDays: numberOf(draft.entryDays) } : entry,
    ...(quiet !== 'usual' && { quietHours: quiet ?? 'none' }),
    maxPerDay: draft.maxPerDay === null ? null : numberOf(draft.maxPerDay),
    exitOn: draft.exitOn && segmentOf(draft.exitOn),
    endsAt: draftFields.endsAt.write(campaign.end),
    holdoutPercent: draftFields.holdoutPercent.write(campaign.holdout),
    utm: campaign.utm === 'usual' ? usualUtm : campaign.utm,
    revenueWindowDays: draftFields.revenueWindowDays.write(campaign.revenueWindow),
  };
}

/** What differs between two bodies of one automation. */
export function changesIn(before: Record<string, unknown>, after: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  );
}
