import { z } from 'zod';
import { refinement } from './field-errors.ts';
import { messagesSchema } from './messages.ts';
import { label, ownId, text } from './primitives.ts';

/** How much of an audience one variant gets, in whole percents. */
export const VARIANT_SHARE = { least: 1, most: 99 } as const;

/** How long a test may last until it is decided, in hours. */
export const TEST_HOURS = { least: 1, most: 720 } as const;

const share = z.int().min(VARIANT_SHARE.least).max(VARIANT_SHARE.most);
export const variantName = label(60);

/** What the winner has more of: contacts who clicked, who clicked something with an event code, or who got a tag. */
export const measureSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('clicks') }),
  z.object({ type: z.literal('eventCode'), bizEventCode: text(256).min(1) }),
  z.object({ type: z.literal('tag'), tagId: ownId }),
]);
export type Measure = z.infer<typeof measureSchema>;

export const decisions = ['hand', 'automatic'] as const;

/**
 * Two to five messages, each for a share of the audience: the campaign's own `messages`, which are the first variant, and
 * `others`. Whoever is in no share is the rest, which is sent the one that is chosen.
 */
export const variantsSchema = z
  .object({
    /** Of the campaign's own `messages`. */
    name: variantName,
    sharePercent: share,
    others: z
      .array(z.object({ name: variantName, sharePercent: share, messages: messagesSchema }))
      .min(1)
      .max(4),
    winner: z.object({
      by: measureSchema,
      /** `automatic`: as soon as a variant is proven to be the best. An operator may choose at any time. */
      decide: z.enum(decisions),
      /** How long after every variant has begun to be sent it is decided even if nothing is proven. */
      afterHours: z.int().min(TEST_HOURS.least).max(TEST_HOURS.most),
      /** What is decided then: `best`: the one that is ahead, proven or not; `hand`: an operator has to. */
      otherwise: z.enum(['best', 'hand']),
      /** Contacts who did what is measured, in all variants together, before any can be proven. */
      minimum: z.int().min(0).max(1_000_000),
    }),
  })
  .refine(
    ({ name: first, others }) => new Set([first, ...others.map((one) => one.name)]).size === others.length + 1,
    refinement('same_names', 'must have different names'),
  )
  .refine(
    ({ sharePercent, others }) => others.reduce((sum, one) => sum + one.sharePercent, sharePercent) <= 100,
    refinement('above_hundred', 'have shares of more than 100 percent'),
  );
export type Variants = z.infer<typeof variantsSchema>;
