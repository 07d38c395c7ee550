import { z } from 'zod';
import { HOLDOUT_PERCENT } from '../campaigns/lift/holdout.ts';
import { REVENUE_WINDOW_DAYS } from '../campaigns/revenue/window.ts';
import { AUTOMATION_STEPS, LONGEST_DELAY_MINUTES } from '../automations/limits.ts';
import { automationStatuses } from '../automations/statuses.ts';
import { currencySchema } from '../orders/currencies.ts';
import { sendApprovalSchema } from './campaign.ts';
import { etag, ifMatch } from './if-match.ts';
import { messageChoice, needsMessages, shownChoice } from './messages-by.ts';
import { operation } from './operation.ts';
import { quietHoursSchema } from './pace.ts';
import { label, ownId, page, pageQuery, platformId, text, timestamp, wallTime, zoneName } from './primitives.ts';
import { segmentSchema } from './segments.ts';
import { utmSchema } from './utm.ts';

/** `approval`: somebody else has to approve it first; `restored`: it may have sent after the backup that was restored. */
export const automationPauseReasons = ['operator', 'approval', 'unauthorized', 'restored'] as const;
export type AutomationPauseReason = (typeof automationPauseReasons)[number];

export const automationEndReasons = ['operator', 'ends_at', 'uninstalled'] as const;
export type AutomationEndReason = (typeof automationEndReasons)[number];

const index = z.int().min(0).max(100);

/** What brings a contact into an automation. */
export const automationTriggerSchema = z.discriminatedUnion('event', [
  z.strictObject({ event: z.literal('contact.entered') }),
  z.strictObject({ event: z.literal('contact.followed') }),
  z.strictObject({ event: z.literal('tag.assigned'), tagId: ownId }),
  z.strictObject({ event: z.literal('tag.removed'), tagId: ownId }),
  z.strictObject({
    event: z.literal('notice.clicked'),
    /** Without them, any campaign or other automation of the service number. */
    campaignIds: z.array(ownId).min(1).max(100).optional(),
    actionIndex: index.optional(),
    bizEventCode: text(256).min(1).optional(),
  }),
  z.strictObject({
    /** Of attributed orders: the contact that they name, if the link was sent to it, else the only one that it was sent to. */
    event: z.enum(['order.paid', 'order.refunded']),
    /** Of the cash that was received, or given back; needs `currency`. */
    minAmount: z.number().min(0).max(9_999_999_999).multipleOf(0.01).optional(),
    currency: currencySchema.optional(),
  }),
  z.strictObject({
    event: z.literal('date'),
    /** Whose value begins with a date. */
    attribute: label(256),
    /** So many days after the date, or before it. */
    offsetDays: z.int().min(-366).max(366),
    at: wallTime,
    zone: zoneName,
    /** Each year on its day; without, once. */
    yearly: z.boolean().default(false),
  }),
  z.strictObject({
    event: z.literal('segment.entered'),
    segment: segmentSchema,
    every: z.enum(['hour', 'day']),
    /** Of `day`; 00:00 UTC without. */
    at: wallTime.optional(),
    zone: zoneName.optional(),
  }),
  z.strictObject({ event: z.literal('session.closed'), minMessages: z.int().min(0).max(1_000_000).optional() }),
]);
export type AutomationTrigger = z.infer<typeof automationTriggerSchema>;

export const automationStepConditions = ['clicked', 'not_clicked', 'conversed', 'not_conversed'] as const;
export type AutomationStepCondition = (typeof automationStepConditions)[number];

const delayOf = (least: number) => z.strictObject({ minutes: z.int().min(least).max(LONGEST_DELAY_MINUTES) });

const stepSchema = z
  .object({
    ...messageChoice,
    /** Since the step before was accepted by the platform; every step but the first has one. */
    delay: delayOf(1).nullable().optional(),
    /** What the contact did, or did not, about the step before. */
    if: z.enum(automationStepConditions).nullable().optional(),
  })
  .check(needsMessages);

/** How often a contact may enter: once, again so many times 24 hours after it did, or for every cause. */
const entrySchema = z.union([
  z.literal('once'),
  z.literal('every'),
  z.strictObject({ afterDays: z.int().min(1).max(366) }),
]);
export type AutomationEntryRule = z.infer<typeof entrySchema>;

const written = {
  name: label(200),
  trigger: automationTriggerSchema,
  /** Who of those that the trigger brings enters; null: everybody. */
  filter: segmentSchema.nullable(),
  /** From the time of the event to the first step. */
  delay: delayOf(0),
  steps: z.array(stepSchema).min(1).max(AUTOMATION_STEPS),
  entry: entrySchema,
  /** When nothing is sent; what is due waits. Left out of a new one, they are what the tenant's settings say; `none`: it has none. */
  quietHours: z.union([quietHoursSchema, z.literal('none')]).nullable(),
  /** Messages of it in any 24 hours, at most. */
  maxPerDay: z.int().min(1).max(1_000_000).nullable(),
  /** Whoever it holds for gets no further step. */
  exitOn: segmentSchema.nullable(),
  /** No cause after it counts, and nothing is sent. */
  endsAt: timestamp.nullable(),
  holdoutPercent: z.int().min(HOLDOUT_PERCENT.least).max(HOLDOUT_PERCENT.most).nullable(),
  utm: utmSchema.nullable(),
  channels: z.array(label(64)).min(1).max(10),
  revenueWindowDays: z.int().min(REVENUE_WINDOW_DAYS.least).max(REVENUE_WINDOW_DAYS.most).nullable(),
};

export const automationBodySchema = z.object({
  ...written,
  serviceNumberId: platformId,
  filter: written.filter.default(null),
  delay: written.delay.default({ minutes: 0 }),
  entry: written.entry.default('once'),
  quietHours: written.quietHours.default(null),
  maxPerDay: written.maxPerDay.default(null),
  exitOn: written.exitOn.default(null),
  endsAt: written.endsAt.default(null),
  holdoutPercent: written.holdoutPercent.default(null),
  utm: written.utm.default(null),
  channels: written.channels.default(['default']),
  revenueWindowDays: written.revenueWindowDays.default(null),
});
export type AutomationBody = z.output<typeof automationBodySchema>;

export const automationPatchSchema = z.object(written).partial();
export type AutomationPatch = z.output<typeof automationPatchSchema>;

const countsSchema = z.object({
  entered: z.int(),
  waiting: z.int(),
  sent: z.int(),
  skipped: z.int(),
  unknown: z.int(),
});
export type AutomationCounts = z.infer<typeof countsSchema>;

export const automationSchema = z
  .object({
    automationId: ownId,
    etag,
    serviceNumberId: z.string(),
    ...written,
    name: z.string(),
    quietHours: quietHoursSchema.nullable(),
    channels: z.array(z.string()),
    steps: z.array(
      z.object({
        ...shownChoice,
        delay: z.object({ minutes: z.int() }).nullable(),
        if: z.enum(automationStepConditions).nullable(),
      }),
    ),
    status: z.enum(automationStatuses),
    /** Null unless it is paused. */
    pauseReason: z.enum(automationPauseReasons).nullable(),
    /** Null unless it has ended. */
    endReason: z.enum(automationEndReasons).nullable(),
    /** The newest request for approval; null if there was none. */
    approval: sendApprovalSchema.nullable(),
    /** Since when causes count; null for a draft. */
    activatedAt: timestamp.nullable(),
    /** Who activated it. */
    startedBy: z.string().nullable(),
    /** Its entries by status, which add up to `entered`. */
    counts: countsSchema,
    createdBy: z.string(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Automation' });
export type Automation = z.infer<typeof automationSchema>;

const id = z.object({ automationId: ownId });
const tag = 'campaigns';

/** Names the request that the caller saw. */
const asked = { approvalId: ownId };

const changing = {
  access: 'write',
  tag,
  params: id,
  headers: ifMatch,
  status: 200,
  response: automationSchema,
} as const;

export const automationOperations = {
  listAutomations: operation({
    method: 'get',
    path: '/automations',
    tag,
    summary: 'Campaigns that begin by themselves, newest first',
    access: 'read',
    query: z.object({
      ...pageQuery,
      serviceNumberId: platformId.optional(),
      status: z.enum(automationStatuses).optional(),
      /** Part of the name, case-insensitive. */
      q: text(200).optional(),
    }),
    status: 200,
    response: page(automationSchema),
  }),
  createAutomation: operation({
    method: 'post',
    path: '/automations',
    tag,
    summary: 'Creates the draft of a campaign that begins by itself',
    description:
      'Each contact that the trigger brings and the filter matches gets the steps, one after the other, each when it is ' +
      'due. The first step has neither `delay` nor `if`: `delay` of the automation counts from the time of the event, ' +
      'that of a later step from when the platform accepted the one before.',
    access: 'write',
    body: automationBodySchema,
    status: 201,
    response: automationSchema,
    errors: ['invalid_content'],
  }),
  getAutomation: operation({
    method: 'get',
    path: '/automations/{automationId}',
    tag,
    summary: 'One automation, with its entries by status',
    access: 'read',
    params: id,
    status: 200,
    response: automationSchema,
    errors: ['not_found'],
  }),
  updateAutomation: operation({
    ...changing,
    method: 'patch',
    path: '/automations/{automationId}',
    summary: 'Changes an automation',
    description:
      'A draft changes in all but its service number. Once active: `name`, `endsAt`, `maxPerDay`, `quietHours`, `exitOn`, ' +
      '`utm`, and the messages of the steps; what is submitted from then on has the new content. Once ended: `name`.',
    readOnly: ['automationId', 'serviceNumberId', 'activatedAt', 'startedBy', 'createdBy', 'createdAt'],
    body: automationPatchSchema,
    errors: ['not_found', 'stale', 'invalid_state', 'invalid_content'],
  }),
  deleteAutomation: operation({
    method: 'delete',
    path: '/automations/{automationId}',
    tag,
    summary: 'Deletes a draft',
    access: 'write',
    params: id,
    headers: ifMatch,
    status: 204,
    errors: ['not_found', 'stale', 'invalid_state'],
  }),
  activateAutomation: operation({
    ...changing,
    method: 'post',
    path: '/automations/{automationId}:activate',
    summary: 'Begins with causes from now on',
    description:
      'Where sends of the tenant need approval, 202: it stays a draft until somebody else approves it (`:approve`).',
    errors: ['not_found', 'stale', 'invalid_state', 'invalid_content'],
  }),
  pauseAutomation: operation({
    ...changing,
    method: 'post',
    path: '/automations/{automationId}:pause',
    summary: 'Sends nothing until it is resumed; causes go on to count',
    errors: ['not_found', 'stale', 'invalid_state'],
  }),
  resumeAutomation: operation({
    ...changing,
    method: 'post',
    path: '/automations/{automationId}:resume',
    summary: 'Sends what is due; what has been due for more than 24 hours is skipped',
    errors: ['not_found', 'stale', 'invalid_state'],
  }),
  endAutomation: operation({
    ...changing,
    method: 'post',
    path: '/automations/{automationId}:end',
    summary: 'Ends it for good; what waits is skipped',
    errors: ['not_found', 'stale', 'invalid_state'],
  }),
  approveAutomation: operation({
    method: 'post',
    path: '/automations/{automationId}:approve',
    tag,
    summary: 'Approves an automation that another person asked for, and begins or resumes it',
    access: 'write',
    onlyPeople: true,
    params: id,
    body: z.object(asked),
    status: 200,
    response: automationSchema,
    errors: ['not_found', 'own_request', 'invalid_state', 'invalid_content'],
  }),
  rejectAutomation: operation({
    method: 'post',
    path: '/automations/{automationId}:reject',
    tag,
    summary: 'Rejects an automation that another person asked for; it stays a draft, or paused',
    access: 'write',
    onlyPeople: true,
    params: id,
    body: z.object({ ...asked, reason: text(500).trim().min(1) }),
    status: 200,
    response: automationSchema,
    errors: ['not_found', 'own_request', 'invalid_state'],
  }),
  withdrawAutomation: operation({
    method: 'post',
    path: '/automations/{automationId}:withdraw',
    tag,
    summary: 'Takes back the own request for approval',
    access: 'write',
    params: id,
    body: z.object(asked),
    status: 200,
    response: automationSchema,
    errors: ['not_found', 'forbidden', 'invalid_state'],
  }),
};
