import type { CampaignStatus } from '#domain/api/campaign.ts';
import type { Segment } from '#domain/api/segments.ts';
import type { Step, StepCondition } from '#domain/api/steps.ts';

const HOUR_MS = 60 * 60_000;

/** How long after a message that is still under way its next step looks again. */
const UNDER_WAY_LOOK_MS = 5 * 60_000;

export const delayMs = ({ amount, unit }: Step['after']): number => amount * (unit === 'hours' ? 1 : 24) * HOUR_MS;

/** What the rows say about the campaign and about the message before a step, which for the first is the campaign itself. */
export interface StepFacts {
  campaignStatus: CampaignStatus;
  isFirst: boolean;
  /** Null once it was deleted. */
  previousStatus: CampaignStatus | null;
  /** Another operator has rejected its send, and it was not asked for again. */
  isRejected: boolean | null;
  /** When a scheduled one starts. */
  startsAt: Date | null;
  /** Some of its contacts are still to be submitted, or its audience to be read. */
  isOpen: boolean;
  /** The platform has not finished all of its tasks: whom they reach is not known yet. */
  isUnderWay: boolean;
  /** When the platform began, or was given, the last of its tasks; null before it has any. */
  submittedAt: Date | null;
}

const endings = ['cancelled', 'failed', 'closed'] as const satisfies CampaignStatus[];
type Ending = (typeof endings)[number];
export type StepEndReason = `${'campaign' | 'previous'}_${Ending}` | 'previous_deleted' | 'previous_rejected';

export type StepDecision =
  | { kind: 'end'; reason: StepEndReason }
  | { kind: 'wait'; for: 'submission' | 'time' | 'outcome'; dueAt: Date | null; lookAt: Date }
  | { kind: 'due'; dueAt: Date };

const endingOf = (status: CampaignStatus | null): Ending | undefined => endings.find((ending) => ending === status);

function endReason({ campaignStatus, previousStatus, isRejected, isFirst }: StepFacts): StepEndReason | null {
  const whole = endingOf(campaignStatus);
  if (whole) return `campaign_${whole}`;
  if (isFirst) return null;
  if (previousStatus === null) return 'previous_deleted';
  if (isRejected) return 'previous_rejected';
  const previous = endingOf(previousStatus);
  return previous ? `previous_${previous}` : null;
}

/** Decides about the next step of a campaign from its rows alone, so that asking again changes nothing. */
export function decideStep(after: Step['after'], facts: StepFacts, now: Date): StepDecision {
  const reason = endReason(facts);
  if (reason) return { kind: 'end', reason };
  const delay = delayMs(after);
  const { startsAt, submittedAt, isOpen, isUnderWay, previousStatus } = facts;
  if (isOpen || submittedAt === null || previousStatus === 'draft') {
    // What is submitted later than now makes it due later than this: nobody needs to look before.
    const begins = startsAt && startsAt > now ? startsAt : now;
    return { kind: 'wait', for: 'submission', dueAt: null, lookAt: new Date(begins.getTime() + delay) };
  }
  const dueAt = new Date(submittedAt.getTime() + delay);
  if (dueAt > now) return { kind: 'wait', for: 'time', dueAt, lookAt: dueAt };
  if (isUnderWay) return { kind: 'wait', for: 'outcome', dueAt, lookAt: new Date(now.getTime() + UNDER_WAY_LOOK_MS) };
  return { kind: 'due', dueAt };
}

function acted(campaignId: string, { outcome, ...clicks }: StepCondition): Segment {
  const campaigns = { campaignIds: [campaignId] };
  return outcome === 'clicked' || outcome === 'not_clicked'
    ? { clicked: { campaigns, ...clicks } }
    : { conversed: campaigns };
}

/** Whom a step is for: those whom the message before it reached, by what they did about it. */
export function segmentOf(previousId: string, condition: StepCondition): Segment {
  const did = acted(previousId, condition);
  const asked = condition.outcome === 'clicked' || condition.outcome === 'conversed' ? did : { not: did };
  return { all: [{ reached: { campaignIds: [previousId] } }, asked] };
}
