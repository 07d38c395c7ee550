import type { Submission } from './platform.ts';
import type { World } from './state.ts';

/** From when until when nothing of the world's campaign may be submitted, since an operator said so; in milliseconds since the epoch. */
export interface Halt {
  why: 'pause' | 'cancel' | 'close';
  from: number;
  until: number;
}

export const halt = ({ clock, halts }: World, why: Halt['why']): void =>
  void halts.push({ why, from: clock.elsewhere(), until: Infinity });

/** An operator has let it go on. */
export function goOn({ clock, halts }: World): void {
  for (const one of halts) if (one.until === Infinity) one.until = clock.elsewhere();
}

/** What was submitted although an operator had stopped it. */
export const complaintsAboutHalts = (submissions: Submission[], halts: Halt[]): string[] =>
  submissions.flatMap(({ at, contactIds }) =>
    halts.flatMap(({ why, from, until }) =>
      at > from && at < until ? [`${contactIds.join(', ')} were submitted after a ${why}`] : [],
    ),
  );

/** The shortest wait before a sub-task is submitted again that certainly is not at the platform. */
const RETRIED_AFTER_MS = 500;

/** What was submitted again before it was due. */
export const complaintsAboutRetries = (submissions: Submission[], refusals: Refusal[]): string[] =>
  refusals.flatMap(({ key, at, settings }) =>
    submissions.some(
      (one) => one.key === key && one.settings === settings && one.at > at && one.at < at + RETRIED_AFTER_MS,
    )
      ? [`${key} was submitted again at once after the platform had not taken it`]
      : [],
  );

/** A call that certainly had no effect, which is made again. */
export type Refusal = Pick<Submission, 'key' | 'at' | 'settings'>;
