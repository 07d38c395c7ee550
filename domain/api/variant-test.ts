import { z } from 'zod';
import { variantVerdicts } from '../campaigns/variants/verdict.ts';
import { outcomesSchema, summarySchema } from './campaign.ts';
import { operation } from './operation.ts';
import { ownId, timestamp } from './primitives.ts';
import { measureSchema, variantName } from './variants.ts';

/**
 * `waiting`: the platform has not begun to send each variant. `running`: it is going to be decided by itself. `asking`: only an
 * operator can. `decided`: the rest gets one of them. `ended`: nothing is left to be sent one.
 */
export const testStates = ['waiting', 'running', 'asking', 'decided', 'ended'] as const;
export type TestState = (typeof testStates)[number];

/**
 * Asking: `by_hand`, `minimum_out_of_reach`, `time_over`, `arms_refused` (fewer than two variants were accepted). Decided: `proven`,
 * `best` (ahead when the time was over), `chosen` (by an operator). Ended: `nothing_left`, `cancelled`, `closed`.
 */
export const testReasons = [
  'by_hand',
  'minimum_out_of_reach',
  'time_over',
  'arms_refused',
  'proven',
  'best',
  'chosen',
  'nothing_left',
  'cancelled',
  'closed',
] as const;
export type TestReason = (typeof testReasons)[number];

const partSchema = z.object({
  contacts: z.int(),
  /** Together they are `contacts`. */
  outcomes: outcomesSchema,
  summary: summarySchema,
  /** Each contact who clicked counts where the first click came from. */
  clicks: z.object({ total: z.int(), uniqueContacts: z.int() }),
});
export type TestPart = z.infer<typeof partSchema>;

export const variantTestSchema = z
  .object({
    state: z.enum(testStates),
    /** Null while it waits or runs. */
    reason: z.enum(testReasons).nullable(),
    measure: measureSchema,
    /** When each variant had begun to be sent; null before. */
    startedAt: timestamp.nullable(),
    /** When it is decided at the latest; null unless it runs. */
    decidesAt: timestamp.nullable(),
    variants: z.array(
      partSchema.extend({
        name: z.string(),
        sharePercent: z.int(),
        /**
         * Of contacts whom the platform has sent it to, how many did what is measured, no longer after it was sent than the
         * variant that was sent last is old: what is compared.
         */
        compared: z.object({ contacts: z.int(), converted: z.int() }),
      }),
    ),
    /** Whoever is in no share; null if that is nobody. With the figures of the variants they are those of the campaign. */
    rest: partSchema.nullable(),
    verdict: z.object({
      verdict: z.enum(variantVerdicts),
      /** The one that is ahead; null while that is none or several. */
      leader: z.string().nullable(),
      /** At most how probable it is that a test in which it is not the only best ever looks as decided as this, from 0 to 1. */
      chance: z.number(),
    }),
    /** Which variant the rest gets; null while none is chosen. */
    choice: z
      .object({
        name: z.string(),
        at: timestamp,
        /** A user id, or `service:variants`. */
        by: z.string(),
        /** Whether it was proven to be the best. */
        proven: z.boolean(),
      })
      .nullable(),
    /** Whether one may be chosen now. */
    mayChoose: z.boolean(),
  })
  .meta({ id: 'VariantTest' });
export type VariantTest = z.infer<typeof variantTestSchema>;

const id = z.object({ id: ownId });
const tag = 'campaigns';

export const variantOperations = {
  getVariantTest: operation({
    method: 'get',
    path: '/campaigns/{id}/variants',
    tag,
    summary: 'The test of the campaign’s variants: what each brought about, and whether one is proven to be the best',
    description:
      'Who gets which variant is drawn when the audience is frozen. `verdict` may be asked as often as one likes: a sequential ' +
      'test (a beta-binomial mixture, with closed testing for more than two variants) names a false winner in less than 5 % of all ' +
      'tests without an effect, however often it is looked at. The figures of the variants and of the rest add up to those of the campaign.',
    access: 'read',
    params: id,
    status: 200,
    response: variantTestSchema,
    errors: ['not_found'],
  }),
  chooseVariant: operation({
    method: 'post',
    path: '/campaigns/{id}/variants:choose',
    tag,
    summary: 'Chooses the variant that the rest of the audience gets, and sends it',
    description:
      'At any time while the rest waits, proven or not. It cannot be taken back. A variant that the platform has refused cannot be chosen.',
    access: 'write',
    params: id,
    body: z.object({ name: variantName }),
    status: 200,
    response: variantTestSchema,
    errors: ['not_found', 'invalid_state', 'invalid_content'],
  }),
};
