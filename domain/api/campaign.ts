import { z } from 'zod';
import { etag } from './if-match.ts';
import { LABELS } from '../campaigns/labels.ts';
import { HOLDOUT_PERCENT } from '../campaigns/lift/holdout.ts';
import { REVENUE_WINDOW_DAYS } from '../campaigns/revenue/window.ts';
import type { OutcomeName } from '../campaigns/outcomes.ts';
import { audienceSchema, listedAudienceSchema } from './audiences.ts';
import { caseNameSchema, messageChoice, needsMessages, shownChoice } from './messages-by.ts';
import { revenueSchema } from './revenue.ts';
import { paceSchema, writtenPaceSchema } from './pace.ts';
import { label, ownId, platformId, text, timestamp } from './primitives.ts';
import { stepsSchema } from './steps.ts';
import { utmSchema } from './utm.ts';
import { variantsSchema } from './variants.ts';

export const campaignStatuses = [
  'draft',
  'scheduled',
  'sending',
  'paused',
  'completed',
  'partially_failed',
  'failed',
  'cancelled',
  'closed',
] as const;
export type CampaignStatus = (typeof campaignStatuses)[number];

/** Ours until the platform has the task (`pending` to `rejected`), then the platform's. */
export const subTaskStatuses = [
  'pending',
  'submitting',
  'unknown',
  'rejected',
  'scheduled',
  'sending',
  'completed',
  'cancelled',
  'failed',
] as const;
export type SubTaskStatus = (typeof subTaskStatuses)[number];

/**
 * `approval`: the audience, known only at the start, is one that another operator has to approve. `deadline`: what was not
 * submitted by the deadline of its pace is kept back.
 */
export const pauseReasons = ['operator', 'unauthorized', 'late', 'approval', 'deadline'] as const;
export type PauseReason = (typeof pauseReasons)[number];

/** How cancelling ended: nothing was sent, some of it was, or all of it was. */
export const cancelOutcomes = ['cancelled', 'partly', 'too_late'] as const;
export type CancelOutcome = (typeof cancelOutcomes)[number];

/** When the audience is resolved: by `:send` (as without it), or when the campaign starts. */
export const audienceMoments = ['now', 'at_start'] as const;

export const scheduleSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('immediate') }),
  z.object({ type: z.literal('scheduled'), at: timestamp, audience: z.enum(audienceMoments).optional() }),
]);
export type Schedule = z.infer<typeof scheduleSchema>;

/**
 * The editable fields as callers write them. `domain/campaigns/fields.ts` defines how each is stored and when it
 * may change.
 */
const writtenFields = {
  name: label(200),
  note: text(2000).nullable().optional(),
  channels: z.array(label(64)).min(1).max(10),
  ...messageChoice,
  variants: variantsSchema.nullable().optional(),
  audience: audienceSchema,
  schedule: scheduleSchema,
  endsAt: timestamp.nullable().optional(),
  holdoutPercent: z.int().min(HOLDOUT_PERCENT.least).max(HOLDOUT_PERCENT.most).nullable().optional(),
  revenueWindowDays: z.int().min(REVENUE_WINDOW_DAYS.least).max(REVENUE_WINDOW_DAYS.most).nullable().optional(),
  pace: writtenPaceSchema.nullable().optional(),
  steps: stepsSchema.nullable().optional(),
  /** Left out of a new campaign, it is what the tenant's settings say. */
  utm: utmSchema.nullable().optional(),
  /** Each is stored once. */
  labels: z.array(label(LABELS.characters)).max(LABELS.most),
};

/** The same fields as returned: all of them are present, and limits are not repeated. */
export const contentSchema = z.object({
  name: z.string(),
  note: z.string().nullable(),
  channels: z.array(z.string()),
  /** What is sent to everybody, or by case: one of the two is null. */
  ...shownChoice,
  /** Other messages that it is tested against; null: everybody gets `messages`. */
  variants: variantsSchema.nullable(),
  audience: audienceSchema,
  schedule: scheduleSchema,
  endsAt: timestamp.nullable(),
  /** Share of the audience in the holdout (control group), in percent; null: none. */
  holdoutPercent: z.int().nullable(),
  /** For how many days after its send orders from its links count for it; null: its links carry no token. */
  revenueWindowDays: z.int().nullable(),
  /** How its submission is spread over time; null: all at once. */
  pace: paceSchema.nullable(),
  /** Follow-up messages to contacts who did or didn't respond; null: none. */
  steps: stepsSchema.nullable(),
  /** `utm_…` parameters added to the links of its buttons when sent; existing ones are kept. Null: none. */
  utm: utmSchema.nullable(),
  /** By which operators find it again. */
  labels: z.array(z.string()),
} satisfies Record<keyof typeof writtenFields, z.ZodType>);
export type ContentFields = z.infer<typeof contentSchema>;

export const campaignBodySchema = z
  .object({
    ...writtenFields,
    channels: writtenFields.channels.default(['default']),
    labels: writtenFields.labels.default([]),
    serviceNumberId: platformId,
  })
  .check(needsMessages);
export type CampaignBody = z.output<typeof campaignBodySchema>;

/** Any subset; `serviceNumberId` is accepted only to reject a change of it by name. */
export const campaignPatchSchema = z.object({ ...writtenFields, serviceNumberId: platformId }).partial();
export type CampaignPatch = z.output<typeof campaignPatchSchema>;

export const summarySchema = z.object({ sent: z.int(), delivered: z.int(), failed: z.int(), read: z.int() });
export type Summary = z.infer<typeof summarySchema>;

const reported = z.int().nullable();
/** The counts of one sub-task: null until the platform reported them (A2). Sums count null as 0. */
export const reportedSummarySchema = z
  .object({ sent: reported, delivered: reported, failed: reported, read: reported } satisfies Record<
    keyof Summary,
    z.ZodType
  >)
  .meta({ id: 'ReportedSummary' });
export type ReportedSummary = z.infer<typeof reportedSummarySchema>;

/** How a request for approval ended. */
export const approvalOutcomes = ['approved', 'rejected', 'withdrawn'] as const;
export type ApprovalOutcome = (typeof approvalOutcomes)[number];

/** A request to send to more contacts than one person may, and its decision. */
export const sendApprovalSchema = z
  .object({
    approvalId: ownId,
    /** Contacts of the audience, as counted when approval was asked for; once approved, as the approver saw them. */
    contacts: z.int(),
    /** The tenant's limit at that time. */
    above: z.int(),
    requestedBy: z.string(),
    requestedAt: timestamp,
    /** Null while it waits. */
    outcome: z.enum(approvalOutcomes).nullable(),
    decidedBy: z.string().nullable(),
    decidedAt: timestamp.nullable(),
    /** Why it was rejected. */
    rejection: z.string().nullable(),
    /** `contacts`: the send has more than the limit; `sum`: it has together with what the same person sent without approval. */
    reason: z.enum(['contacts', 'sum']),
    /** Of the latter: all of these contacts, those of this send included, and when the first of these sends began. */
    sum: z.object({ contacts: z.int(), since: timestamp }).nullable(),
  })
  .meta({ id: 'SendApproval' });
export type SendApproval = z.infer<typeof sendApprovalSchema>;

export const campaignSchema = z
  .object({
    id: ownId,
    etag,
    serviceNumberId: z.string(),
    ...contentSchema.shape,
    status: z.enum(campaignStatuses),
    pauseReason: z.enum(pauseReasons).nullable(),
    /** Null unless cancelled, and until the outcome is known. */
    cancelOutcome: z.enum(cancelOutcomes).nullable(),
    /**
     * A change that waits for the platform to cancel the campaign's tasks, which are then submitted again; null if there
     * is none.
     */
    pendingEdit: z.object({ requestedBy: z.string(), requestedAt: timestamp }).nullable(),
    /**
     * The newest request for approval of its send; null if there was none. While it waits, the campaign is a draft that
     * cannot be changed, or is paused with the reason `approval`.
     */
    approval: sendApprovalSchema.nullable(),
    /** The version of a template that it was made from; null if it was not. */
    template: z.object({ templateId: ownId, version: z.int() }).nullable().optional(),
    /** The campaign that it follows as one of its steps, counted from 1; null if it does not. */
    stepOf: z.object({ campaignId: ownId, name: z.string(), position: z.int() }).nullable().optional(),
    /** The repeat of which it is a run; null if it is none. */
    runOf: z.object({ repeatId: ownId, name: z.string() }).nullable().optional(),
    /** Contacts that a retry was sent to although the first sub-task had been sent after all. */
    sentTwice: z.int(),
    sourceId: z.string().nullable(),
    /** Contacts frozen at the last send, without those held back; null for a draft. */
    audienceCount: z.int().nullable(),
    /** Contacts of the audience that were held back as a control group; null for a draft. */
    controlCount: z.int().nullable(),
    /** Contacts that the audience reaches and that get nothing, because they are in no case; null for a draft. */
    skippedByCase: z.int().nullable(),
    summary: summarySchema,
    clickedContacts: z.int(),
    createdBy: z.string(),
    /** Who wrote the current content; null if it was written before this was recorded. */
    editedBy: z.string().nullable(),
    createdAt: timestamp,
    updatedAt: timestamp,
    /** When the first send was confirmed (`:send`), and by whom; null for a draft. */
    sentAt: timestamp.nullable(),
    confirmedBy: z.string().nullable(),
    /** When the platform began to send it. */
    startedAt: timestamp.nullable(),
    finishedAt: timestamp.nullable(),
    closedAt: timestamp.nullable(),
  })
  .meta({ id: 'Campaign' });
export type Campaign = z.infer<typeof campaignSchema>;

export const listedCampaignSchema = campaignSchema
  .extend({ audience: listedAudienceSchema })
  .meta({ id: 'ListedCampaign' });

export const subTaskSchema = z
  .object({
    key: z.string(),
    taskId: z.string().nullable(),
    parentTaskId: z.string().nullable(),
    status: z.enum(subTaskStatuses),
    contactCount: z.int(),
    recipientCount: z.int().nullable(),
    summary: reportedSummarySchema,
    error: z.object({ code: z.string(), message: z.string() }).optional(),
    /** When the platform accepted it; while there is no response yet, when it was submitted. */
    submittedAt: timestamp.nullable(),
    startedAt: timestamp.nullable(),
    finishedAt: timestamp.nullable(),
  })
  .meta({ id: 'SubTask' });
export type SubTask = z.infer<typeof subTaskSchema>;

/** What an operator found out about an unknown sub-task. */
export const resolutionSchema = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('sent'), taskId: platformId }),
  z.object({ outcome: z.literal('not_sent') }),
]);
export type Resolution = z.infer<typeof resolutionSchema>;

/** A test send: `contactCount` contacts, each once. */
export const testSendSchema = z
  .object({
    taskId: z.string(),
    /** The task of each case, where the contacts are of several. */
    taskIds: z.array(z.string()).optional(),
    contactCount: z.int(),
  })
  .meta({ id: 'TestSend' });
export type TestSend = z.infer<typeof testSendSchema>;

/** Each contact of the audience once; together they are `audienceCount`. */
export const outcomesSchema = z
  .object({
    delivered: z.int(),
    /** Sent, and neither delivered nor failed so far. */
    sent: z.int(),
    failed: z.int(),
    /** The platform finished their task without sending to them: unsubscribed meanwhile, or governed by its rules. */
    heldBack: z.int(),
    /** Their task is finished, and the platform has not reported counts. */
    uncounted: z.int(),
    /** Of tasks that the platform refused, or that failed before it sent to them. */
    refused: z.int(),
    cancelled: z.int(),
    unknown: z.int(),
    notYet: z.int(),
  } satisfies Record<OutcomeName, z.ZodType>)
  .meta({ id: 'Outcomes' });
export type Outcomes = z.infer<typeof outcomesSchema>;

export const progressSchema = z
  .object({
    status: z.enum(campaignStatuses),
    audienceCount: z.int(),
    /** Contacts of the audience that are in no sub-task yet. */
    preparing: z.object({ contacts: z.int() }),
    subTasks: z.partialRecord(z.enum(subTaskStatuses), z.object({ tasks: z.int(), contacts: z.int() })),
    summary: summarySchema,
    outcomes: outcomesSchema,
    startedAt: timestamp.nullable(),
    finishedAt: timestamp.nullable(),
    /** Where a campaign with a pace stands; null without one, and once everything is submitted. */
    pace: z
      .object({
        /** When the next contacts are submitted; null while it is paused. */
        nextAt: timestamp.nullable(),
        /** When the last are, or the deadline keeps the rest back, if nothing delays it; null while it is paused. */
        endsAt: timestamp.nullable(),
        /** Contacts that are not submitted yet. */
        left: z.int(),
        /** Of those, the ones that the deadline is going to keep back, or has. */
        keptBack: z.int(),
      })
      .nullable(),
  })
  .meta({ id: 'Progress' });
export type Progress = z.infer<typeof progressSchema>;

const clicksByAction = z.array(
  z.object({
    /** Those of a variant count on from 5 times its position; in each case they count from 0. */
    messageIndex: z.int(),
    actionIndex: z.int(),
    label: z.string(),
    clicks: z.int(),
    uniqueContacts: z.int(),
  }),
);

/** The figures of each case; together they are those of the whole. */
export const resultsByCaseSchema = z.array(
  z.object({
    case: caseNameSchema,
    /** Those of the case; none for `otherwise`. */
    values: z.array(z.string()),
    contacts: z.int(),
    summary: summarySchema,
    clicks: z.object({ total: z.int(), repeats: z.int(), uniqueContacts: z.int(), byAction: clicksByAction }),
  }),
);
export type ResultsByCase = z.infer<typeof resultsByCaseSchema>;

export const resultsSchema = progressSchema
  .omit({ pace: true })
  .extend({
    clicks: z.object({
      total: z.int(),
      repeats: z.int(),
      uniqueContacts: z.int(),
      byAction: clicksByAction,
      byBizEventCode: z.array(z.object({ bizEventCode: z.string(), clicks: z.int(), uniqueContacts: z.int() })),
      series: z.array(z.object({ at: timestamp, clicks: z.int() })),
    }),
    conversations: z.object({ opened: z.int(), closed: z.int() }),
    tagged: z.array(z.object({ tagId: z.string(), contacts: z.int() })),
    /** What orders from its links were paid; null if its links carry no token. */
    revenue: revenueSchema.nullable(),
    /** Null unless it has messages by case. */
    byCase: resultsByCaseSchema.nullable(),
  })
  .meta({ id: 'Results' });
export type Results = z.infer<typeof resultsSchema>;

export const clickSchema = z
  .object({
    taskId: z.string(),
    contactId: z.string(),
    /** Null if the contact has none, or is unknown. */
    displayName: z.string().nullable(),
    noticeId: z.string(),
    messageIndex: z.int().nullable(),
    actionIndex: z.int(),
    label: z.string().nullable(),
    bizEventCode: z.string().nullable(),
    clickedAt: timestamp,
    repeats: z.int(),
    /**
     * Tags assigned by rules because of it, and the conversation the contact opened after it and before another
     * click.
     */
    followed: z.object({
      tags: z.array(z.object({ tagId: z.string(), name: z.string(), color: z.string().nullable() })),
      session: z.object({ sessionId: z.string(), openedAt: timestamp, closedAt: timestamp.nullable() }).nullable(),
    }),
  })
  .meta({ id: 'Click' });
export type Click = z.infer<typeof clickSchema>;
