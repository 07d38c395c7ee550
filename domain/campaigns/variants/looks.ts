import type { Variants } from '#domain/api/variants.ts';
import type { Arm } from './evidence.ts';
import type { Verdict } from './verdict.ts';

const SECOND = 1000;
const HOUR = 3_600_000;

/** A test is looked at ever less often: after a twentieth of its age, at least half a minute and at most a quarter of an hour. */
export const lookAgainMs = (ageMs: number): number => Math.min(Math.max(ageMs / 20, 30 * SECOND), 900 * SECOND);

/** Whoever pauses, resumes or moves a campaign has its test looked at; once an hour it is looked at in any case. */
export const LOOK_AT_LEAST_MS = HOUR;

/** While nothing can be compared: at the campaign's start, and ever less often from then on. */
export const lookBeforeMs = (beginsAt: Date, now: Date): number => {
  const ageMs = now.getTime() - beginsAt.getTime();
  return ageMs < 0 ? Math.min(-ageMs, LOOK_AT_LEAST_MS) : lookAgainMs(ageMs);
};

/** When a test that started at `since` is decided at the latest, or asks an operator. */
export const decidesAt = ({ winner: { afterHours } }: Variants, since: Date): Date =>
  new Date(since.getTime() + afterHours * HOUR);

/** What is to be done about a test now: take a variant, by its position, ask an operator, or go on. */
export type Step = { take: number } | 'ask' | 'go on';

/**
 * A variant that is proven wins at once; later, what the campaign says. Of several that are ahead, or none, the first is taken that
 * was sent to anybody.
 */
export function nextStep(
  variants: Variants,
  { verdict, leader, arms }: Pick<Verdict, 'verdict' | 'leader'> & { arms: readonly Arm[] },
  { since, now }: { since: Date; now: Date },
): Step {
  const { decide, otherwise } = variants.winner;
  const isOver = now >= decidesAt(variants, since);
  const isProven = verdict === 'proven' && leader !== null;
  if (decide === 'hand') return isProven || isOver ? 'ask' : 'go on';
  if (isProven) return { take: leader };
  if (!isOver) return 'go on';
  const first = arms.findIndex(({ contacts }) => contacts > 0);
  return otherwise === 'best' && first !== -1 ? { take: leader ?? first } : 'ask';
}
