import { z } from 'zod';
import { delayUnits, STEP_DELAY, stepOutcomes, STEPS_AT_MOST } from '../campaigns/steps/limits.ts';
import { refinement } from './field-errors.ts';
import { messageChoice, needsMessages } from './messages-by.ts';
import { text } from './primitives.ts';

const index = z.int().min(0).max(100).optional();

/** Who gets a step: contacts who did or didn't respond to the previous message. */
export const stepConditionSchema = z
  .object({
    outcome: z.enum(stepOutcomes),
    /** One button of that message's campaign, as its results count them; any without. */
    messageIndex: index,
    actionIndex: index,
    bizEventCode: text(256).min(1).optional(),
  })
  .refine(
    ({ outcome, messageIndex, actionIndex, bizEventCode }) =>
      outcome === 'clicked' || outcome === 'not_clicked' || (messageIndex ?? actionIndex ?? bizEventCode) === undefined,
    refinement('of_clicks_only', 'has a button or an event code, which only clicks have'),
  );
export type StepCondition = z.infer<typeof stepConditionSchema>;

export const stepFields = {
  /** Counted from when the last contacts of the message before it were submitted; a day has 24 hours. */
  after: z.object({ amount: z.int().min(STEP_DELAY.least).max(STEP_DELAY.most), unit: z.enum(delayUnits) }),
  condition: stepConditionSchema,
};

const stepSchema = z.object({ ...stepFields, ...messageChoice }).check(needsMessages);
export type Step = z.infer<typeof stepSchema>;

/** Messages that follow a campaign, each about the one before it. */
export const stepsSchema = z.array(stepSchema).min(1).max(STEPS_AT_MOST);
