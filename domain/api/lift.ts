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

const compared = {
  /** What contacts did: open a conversation, or get a tag. */
  measure: z.discriminatedUnion('type', [
    z.object({ type: z.literal('conversation') }),
    z.object({ type: z.literal('tag'), tagId: z.string(), name: z.string() }),
  ]),
  control: armSchema,
  verdict: z.enum(liftVerdicts),
  /** Shares, from −1 to 1; null below 100 conversions in either arm. */
  difference: z.object({ value: z.number(), low: z.number(), high: z.number() }).nullable(),
  /** The difference as a share of the control group’s; null below 100 conversions in either arm. */
  relative: z.number().nullable(),
};

const comparisonSchema = z.object({ ...compared, sent: armSchema });
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

const tenantComparisonSchema = z.object({
  ...compared,
  /** All who are not in the control group. */
  all: armSchema,
});
export type TenantComparison = z.infer<typeof tenantComparisonSchema>;

export const tenantLiftSchema = z
  .object({
    from: timestamp,
    to: timestamp,
    /** Of the control group, in a hundred, as it is now. */
    percent: z.int(),
    comparisons: z.array(tenantComparisonSchema),
    /** What orders that name their contact were paid, less what was refunded, in units; null if there is none. */
    revenue: z.array(z.object({ currency: z.string(), all: z.number(), control: z.number() })).nullable(),
  })
  .meta({ id: 'TenantLift' });
export type TenantLift = z.infer<typeof tenantLiftSchema>;

export const liftOperations = {
  getTenantLift: operation({
    method: 'get',
    path: '/control-group/lift',
    tag: 'campaigns',
    summary: 'All contacts against the tenant’s control group: how many converted, and what they paid',
    description:
      'Contacts that were known before `from` count, those of the control group on one side and all others on the other. ' +
      'What happened in [from, to) is compared as a campaign’s lift is; tags that clicks and conversations of campaigns ' +
      'gave are left out. `from` may not be before the control group was as it is now (`since` of the settings).',
    access: 'read',
    query: z.object({ from: timestamp, to: timestamp }),
    status: 200,
    response: tenantLiftSchema,
    errors: ['invalid_content'],
  }),
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
