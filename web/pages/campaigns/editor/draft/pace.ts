import type { Campaign } from '#domain/api/campaign.ts';
import type { QuietHours } from '#domain/api/pace.ts';
import { type DraftDateTime, fullHourAfter, instantOf, readingOf } from './date-time.ts';

/** How a campaign is spread over time, as it is edited. */
export interface DraftPace {
  spread: 'at_once' | 'rate' | 'evenly';
  /** As it is typed; counts only where the spread is `rate`. */
  perMinute: string;
  /** Set where the spread is `evenly`. */
  until: DraftDateTime | null;
  /** `usual`: as the tenant's settings say, for a draft that is not stored yet. */
  quiet: QuietHours | 'usual' | null;
  deadline: DraftDateTime | null;
}

/** What the editor suggests. */
export const suggestedRate = '1000';

export const noPace = (): DraftPace => ({
  spread: 'at_once',
  perMinute: suggestedRate,
  until: null,
  quiet: null,
  deadline: null,
});

/** Of a draft that is not stored yet. */
export const newPace = (): DraftPace => ({ ...noPace(), quiet: 'usual' });

export function draftPaceOf(pace: Campaign['pace'], zone: string): DraftPace {
  const { perMinute, evenlyUntil, quietHours, deadline } = pace ?? {};
  return {
    spread: perMinute !== undefined ? 'rate' : evenlyUntil !== undefined ? 'evenly' : 'at_once',
    perMinute: perMinute?.toString() ?? suggestedRate,
    until: evenlyUntil === undefined ? null : readingOf(evenlyUntil, zone),
    quiet: quietHours ?? null,
    deadline: deadline === undefined ? null : readingOf(deadline, zone),
  };
}

/** With a later time instead of each that has passed: a full hour, 2 hours from then on for the spread, 24 for the deadline. */
export function withoutPassedTimes(pace: DraftPace, zone: string, now: Date): DraftPace {
  const renewed = (reading: DraftDateTime | null, hours: number) => {
    const at = reading && instantOf(reading);
    return !at || at > now ? reading : fullHourAfter(now, hours, zone);
  };
  return { ...pace, until: renewed(pace.until, 2), deadline: renewed(pace.deadline, 24) };
}

// What is not a moment or a number stays as it is, for the schema to reject.
const momentOf = (reading: DraftDateTime | null) => (reading && instantOf(reading)?.toISOString()) ?? '';
const numberOf = (typed: string) => (/^\d+$/.test(typed.trim()) ? Number(typed) : typed);

/** As the API expects it, whether valid or not; null if nothing is wanted. */
export function paceOf({ spread, perMinute, until, quiet, deadline }: DraftPace): Record<string, unknown> | null {
  const pace = {
    ...(spread === 'rate' ? { perMinute: numberOf(perMinute) } : {}),
    ...(spread === 'evenly' ? { evenlyUntil: momentOf(until) } : {}),
    ...(quiet === null || quiet === 'usual' ? {} : { quietHours: { ...quiet } }),
    ...(deadline === null ? {} : { deadline: momentOf(deadline) }),
  };
  return Object.keys(pace).length === 0 ? null : pace;
}
