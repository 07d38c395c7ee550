import type { Campaign } from '#domain/api/campaign.ts';
import { type DelayUnit, type StepOutcome, STEPS_AT_MOST } from '#domain/campaigns/steps/limits.ts';
import { cardOf, type DraftCard, messageOf, newCard } from '../draft/cards.ts';

type StoredStep = NonNullable<Campaign['steps']>[number];

/** A follow-up message while it is edited; its delay as typed. */
export interface DraftStep {
  key: string;
  amount: string;
  unit: DelayUnit;
  outcome: StepOutcome;
  /** `message.button`, both counted from 0, as in `0.1`; empty for any. */
  button: string;
  /** Empty for any. */
  eventCode: string;
  cards: DraftCard[];
  /** Messages by case, which are not edited here, in place of the cards. */
  messagesBy: StoredStep['messagesBy'];
}

export const mayAdd = (steps: DraftStep[]): boolean => steps.length < STEPS_AT_MOST;

let keys = 0;
const nextKey = () => `f${(keys += 1)}`;

/** The default: a day later, to contacts who did not click. */
export const newStep = (): DraftStep => ({
  key: nextKey(),
  amount: '1',
  unit: 'days',
  outcome: 'not_clicked',
  button: '',
  eventCode: '',
  cards: [newCard('buttons')],
  messagesBy: null,
});

/** Whether a condition is about clicks, which have a button and an event code. */
export const isAboutClicks = ({ outcome }: Pick<DraftStep, 'outcome'>): boolean =>
  outcome === 'clicked' || outcome === 'not_clicked';

function buttonOf({ messageIndex, actionIndex }: StoredStep['condition']): string {
  return messageIndex === undefined || actionIndex === undefined ? '' : `${messageIndex}.${actionIndex}`;
}

/** Stored steps as the editor shows them. */
export function draftStepsOf(steps: Campaign['steps']): DraftStep[] {
  return (steps ?? []).map(({ after, condition, messages, messagesBy }) => ({
    key: nextKey(),
    amount: after.amount.toString(),
    unit: after.unit,
    outcome: condition.outcome,
    button: buttonOf(condition),
    eventCode: condition.bizEventCode ?? '',
    cards: messages?.map(cardOf) ?? [],
    messagesBy,
  }));
}

// What is not a number stays as it is, for the schema to reject.
const numberOf = (typed: string) => (/^\d+$/.test(typed.trim()) ? Number(typed) : typed);

function conditionOf(step: DraftStep): Record<string, unknown> {
  if (!isAboutClicks(step)) return { outcome: step.outcome };
  const [messageIndex, actionIndex] = step.button.split('.').map(Number);
  return {
    outcome: step.outcome,
    ...(step.button === '' ? {} : { messageIndex, actionIndex }),
    ...(step.eventCode.trim() === '' ? {} : { bizEventCode: step.eventCode.trim() }),
  };
}

/** As the API expects them, whether valid or not; null without any. */
export function stepsOf(steps: DraftStep[]): Record<string, unknown>[] | null {
  if (steps.length === 0) return null;
  return steps.map((step) => ({
    after: { amount: numberOf(step.amount), unit: step.unit },
    condition: conditionOf(step),
    ...(step.messagesBy ? { messagesBy: step.messagesBy } : { messages: step.cards.map(messageOf) }),
  }));
}
