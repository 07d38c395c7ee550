import type { AudiencePreview } from '#domain/api/audiences.ts';
import { expectedControl, HOLDOUT_PERCENT } from '#domain/campaigns/lift/holdout.ts';

/** The percentage as typed; null without a control group. */
export type DraftHoldout = string | null;

/** What the editor suggests. */
export const suggestedHoldout = '10';

/** The percentage; null without a control group, or if invalid. */
export function percentOf(typed: DraftHoldout): number | null {
  const percent = typed !== null && /^\d{1,2}$/.test(typed.trim()) ? Number(typed) : 0;
  return percent >= HOLDOUT_PERCENT.least && percent <= HOLDOUT_PERCENT.most ? percent : null;
}

/** How many of an audience are sent to or held back: all whom it reaches, or a sample of them. */
export const sampleOf = ({ reachableCount, takenCount = reachableCount }: AudiencePreview): number => takenCount;

/** About how many of the contacts get the message, and how many do not; null if all of them do. */
export function splitOf(reachable: number, typed: DraftHoldout): { sent: number; held: number } | null {
  const percent = percentOf(typed);
  if (percent === null) return null;
  const held = expectedControl(reachable, percent);
  return { sent: reachable - held, held };
}
