import { z } from 'zod';
import { liftVerdicts } from '../campaigns/lift/lift.ts';
import { operation } from './operation.ts';
import { ownId, timestamp } from './primitives.ts';

/** The longest window, in days of 24 hours. */
export const MAXIMUM_WINDOW_DAYS = 90;

/** How many tags are compared, those that most contacts got first. */
export const COMPARED_TAGS = 10;

/**
 * `no_control_group`: nobody is held back, or nothing was sent. `not_started`: the platform has not begun to send.
 * `open`: the window has not ended. `deleted`: it is no longer known who was held back.
 */
export const liftStates = ['no_control_group', 'not_started', 'open', 'complete', 'deleted'] as const;
export type LiftState = (typeof liftStates)[number];

const armSchema = z.object({ contacts: z.int(), converted: z.int() });

const comparisonSchema = z.object({
  /** What contacts did: open a conversation, or get a tag. */
  measure: z.discriminatedUnion('type', [
    z.object({ type: z.literal('conversation') }),
    z.object({ type: z.literal('tag'), tagId: z.string(), name: z.string() }),
  ]),
  sent: armSchema,
  control: armSchema,
  verdict: z.enum(liftVerdicts),
  /** Shares, from −1 to 1; null below 100 conversions in either arm. */
  difference: z.object({ value: z.number(), low: z.number(), high: z.number() }).nullable(),
  /** The difference as a share of the control group’s; null below 100 conversions in either arm. */
  relative: z.number().nullable(),
});
export type Comparison = z.infer<typeof comparisonSchema>;

export const liftSchema = z
  .object({
    state: z.enum(liftStates),
    windowDays: z.int(),
    /** When the window began, for everybody; null unless the state is `open` or `complete`. */
    from: timestamp.nullable(),
    until: timestamp.nullable(),
    comparisons: z.array(comparisonSchema),
  })
  .meta({ id: 'Lift' });
export type CampaignLift = z.infer<typeof liftSchema>;

export const liftOperations = {
  getLift: operation({
    method: 'get',
    path: '/campaigns/{id}/lift',
    tag: 'campaigns',
    summary: 'Those sent to against the control group: how many converted, the difference and its 95 % interval',
    description:
      'Everybody in the frozen audience counts in the arm of the campaign’s first send, whatever became of the message. The ' +
      'window begins for all of them when the platform begins to send, and lasts `windowDays` × 24 hours. A conversion is ' +
      'what can happen to both alike: a conversation on the campaign’s service number, whatever led to it, or a tag ' +
      '(the ten that most of them got). Tags that the campaign’s own clicks and conversations gave are left out: nobody in ' +
      'the control group could get them. The interval is Newcombe’s hybrid score interval (1998, method 10). Below 100 ' +
      'conversions in either arm the verdict is `too_few`. Each comparison is one of 95 %: among many, some are wrong.',
    access: 'read',
    params: z.object({ id: ownId }),
    query: z.object({ windowDays: z.coerce.number().int().min(1).max(MAXIMUM_WINDOW_DAYS).default(7) }),
    status: 200,
    response: liftSchema,
    errors: ['not_found'],
  }),
};
