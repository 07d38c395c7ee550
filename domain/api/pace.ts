import { z } from 'zod';
import { refinement } from './field-errors.ts';
import { timestamp, wallTime, zoneName } from './primitives.ts';

/** Contacts a minute at which a campaign may be spread over time. */
export const PER_MINUTE = { least: 10, most: 1_000_000 } as const;

/** Every day from `from` on and before `to`, across midnight if `to` is earlier, by the clocks of the zone. */
export const quietHoursSchema = z
  .object({
    from: wallTime,
    to: wallTime,
    zone: zoneName,
  })
  .refine(({ from, to }) => from !== to, refinement('no_quiet_hours', 'must not end when they begin'));
export type QuietHours = z.infer<typeof quietHoursSchema>;

/** When the parts of a campaign are submitted; all together if nothing is said. */
export const paceSchema = z
  .object({
    /** Contacts a minute. */
    perMinute: z.int().min(PER_MINUTE.least).max(PER_MINUTE.most).optional(),
    /** Spread evenly until then; the remainder follows at once. */
    evenlyUntil: timestamp.optional(),
    /** When nothing is submitted. */
    quietHours: quietHoursSchema.optional(),
    /** Contacts not submitted by then are on hold until an operator resumes or cancels the campaign. */
    deadline: timestamp.optional(),
  })
  .refine(
    ({ perMinute, evenlyUntil }) => perMinute === undefined || evenlyUntil === undefined,
    refinement('one_rate', 'has either perMinute or evenlyUntil'),
  );
export type Pace = z.infer<typeof paceSchema>;
