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

const rates = {
  /** Contacts a minute. */
  perMinute: z.int().min(PER_MINUTE.least).max(PER_MINUTE.most).optional(),
  /** Spread evenly until then; the remainder follows at once. */
  evenlyUntil: timestamp.optional(),
};
/** Contacts not submitted by then are on hold until an operator resumes or cancels the campaign. */
const deadline = timestamp.optional();

const hasOneRate = ({ perMinute, evenlyUntil }: { perMinute?: unknown; evenlyUntil?: unknown }) =>
  perMinute === undefined || evenlyUntil === undefined;
const oneRate = refinement('one_rate', 'has either perMinute or evenlyUntil');

/** When the parts of a campaign are submitted; all together if nothing is said. */
export const paceSchema = z
  .object({
    ...rates,
    /** When nothing is submitted. */
    quietHours: quietHoursSchema.optional(),
    deadline,
  })
  .refine(hasOneRate, oneRate);
export type Pace = z.infer<typeof paceSchema>;

/** The same as written. */
export const writtenPaceSchema = z
  .object({
    ...rates,
    /** Left out of a new campaign, they are what the tenant's settings say; `none`: it has none. */
    quietHours: z.union([quietHoursSchema, z.literal('none')]).optional(),
    deadline,
  })
  .refine(hasOneRate, oneRate);
export type WrittenPace = z.infer<typeof writtenPaceSchema>;
