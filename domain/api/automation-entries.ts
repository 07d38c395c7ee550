import { z } from 'zod';
import { automationEntryStatuses, automationSkipReasons } from '../automations/statuses.ts';
import { operation } from './operation.ts';
import {
  resolutionSchema,
  resultsByCaseSchema,
  resultsSchema,
  subTaskSchema,
  subTaskStatuses,
  summarySchema,
} from './campaign.ts';
import { caseNameSchema } from './messages-by.ts';
import { ownId, page, pageQuery, platformId, timestamp } from './primitives.ts';

/** What brought the contact; of a kind of event only what it has. */
const causeSchema = z.object({
  event: z.string(),
  at: timestamp,
  eventId: z.string().optional(),
  tagId: z.string().optional(),
  /** The rule that gave the tag. */
  ruleId: z.string().optional(),
  campaignId: z.string().optional(),
  taskId: z.string().optional(),
  actionIndex: z.int().optional(),
  bizEventCode: z.string().optional(),
  sessionId: z.string().optional(),
  orderId: z.string().optional(),
  date: z.string().optional(),
});
export type AutomationCause = z.infer<typeof causeSchema>;

const stepSchema = z.object({
  /** Counted from 0. */
  step: z.int(),
  status: z.enum(automationEntryStatuses),
  reason: z.string().nullable(),
  dueAt: timestamp.nullable(),
  sentAt: timestamp.nullable(),
  subTaskKey: z.string().nullable(),
  taskId: z.string().nullable(),
  /** Whose messages it got, or gets; null before, and without messages by case. */
  case: caseNameSchema.nullable(),
});

export const automationEntrySchema = z
  .object({
    entryId: ownId,
    contactId: z.string(),
    /** `waiting` while a step may still come; then `sent` if any step was, else `unknown`, else `skipped`. */
    status: z.enum(automationEntryStatuses),
    reason: z.string().nullable(),
    cause: causeSchema,
    enteredAt: timestamp,
    /** Of the step that is next; null if none is. */
    dueAt: timestamp.nullable(),
    steps: z.array(stepSchema),
  })
  .meta({ id: 'AutomationEntry' });
export type AutomationEntry = z.infer<typeof automationEntrySchema>;

const skipped = z.record(z.string(), z.int());

export const automationResultsSchema = z
  .object({
    counts: z.object({ entered: z.int(), waiting: z.int(), sent: z.int(), skipped: z.int(), unknown: z.int() }),
    /** Skipped entries by reason. */
    skipped,
    /** Orders of its trigger that say nobody who could enter. */
    withoutContact: z.int(),
    summary: summarySchema,
    clicks: resultsSchema.shape.clicks,
    conversations: resultsSchema.shape.conversations,
    steps: z.array(
      z.object({
        step: z.int(),
        sent: z.int(),
        skipped: z.int(),
        unknown: z.int(),
        summary: summarySchema,
        clicks: z.object({ total: z.int(), repeats: z.int(), uniqueContacts: z.int() }),
        /** Null unless it has messages by case; its contacts are those that were sent to, or may have been. */
        byCase: resultsByCaseSchema.nullable(),
      }),
    ),
    /** By day of UTC: entries by the day on which they entered, clicks by their own. */
    days: z.array(z.object({ date: z.iso.date(), entered: z.int(), sent: z.int(), skipped: z.int(), clicks: z.int() })),
  })
  .meta({ id: 'AutomationResults' });
export type AutomationResults = z.infer<typeof automationResultsSchema>;

export const automationRehearsalSchema = z
  .object({
    from: timestamp,
    to: timestamp,
    days: z.array(z.object({ date: z.iso.date(), causes: z.int(), entered: z.int(), skipped })),
    examples: z
      .array(
        z.object({
          contactId: z.string(),
          at: timestamp,
          cause: causeSchema,
          outcome: z.enum(['entered', 'skipped']),
          reason: z.string().nullable(),
        }),
      )
      .max(10),
  })
  .meta({ id: 'AutomationRehearsal' });
export type AutomationRehearsal = z.infer<typeof automationRehearsalSchema>;

const automationSubTaskSchema = subTaskSchema.extend({ step: z.int() }).meta({ id: 'AutomationSubTask' });

const tag = 'campaigns';
const id = z.object({ automationId: ownId });

const entryFilter = { status: z.enum(automationEntryStatuses).optional(), contactId: platformId.optional() };

/** Who entered automations and why, and what became of it. */
export const automationEntryOperations = {
  listAutomationEntries: operation({
    method: 'get',
    path: '/automations/{automationId}/entries',
    tag,
    summary: 'Causes and what became of each, newest first',
    description: `Reasons: ${automationSkipReasons.join(', ')}.`,
    access: 'read',
    params: id,
    query: z.object({ ...pageQuery, ...entryFilter }),
    status: 200,
    response: page(automationEntrySchema),
    errors: ['not_found'],
  }),
  exportAutomationEntries: operation({
    method: 'get',
    path: '/automations/{automationId}/entries.csv',
    tag,
    summary: 'The same as a file',
    description:
      'Streamed, page by page. A value that a spreadsheet would take for a formula begins with an apostrophe.',
    access: 'read',
    params: id,
    query: z.object(entryFilter),
    status: 200,
    response: z.string(),
    responseType: 'text/csv',
    errors: ['not_found', 'rate_limited'],
  }),
  getAutomationResults: operation({
    method: 'get',
    path: '/automations/{automationId}/results',
    tag,
    summary: 'What became of its entries and messages, by step and by day',
    access: 'read',
    params: id,
    status: 200,
    response: automationResultsSchema,
    errors: ['not_found'],
  }),
  listAutomationTasks: operation({
    method: 'get',
    path: '/automations/{automationId}/tasks',
    tag,
    summary: 'Its sub-tasks',
    access: 'read',
    params: id,
    query: z.object({ ...pageQuery, status: z.enum(subTaskStatuses).optional(), task: platformId.optional() }),
    status: 200,
    response: page(automationSubTaskSchema),
    errors: ['not_found'],
  }),
  resolveAutomationTask: operation({
    method: 'post',
    path: '/automations/{automationId}/tasks/{key}:resolve',
    tag,
    summary: 'Resolves an unknown sub-task',
    access: 'write',
    params: z.object({ automationId: ownId, key: ownId }),
    body: resolutionSchema,
    status: 200,
    response: automationSubTaskSchema,
    errors: ['not_found', 'invalid_state', 'conflict', 'invalid_content', 'unavailable'],
  }),
  dryRunAutomation: operation({
    method: 'post',
    path: '/automations/{automationId}:dry-run',
    tag,
    summary: 'Whom it would have taken in the last days',
    description:
      'Decides about the causes of these days as the automation would have: duplicates, holdout, and the filter as of each ' +
      'cause; of more than 2,000 causes the filter is looked at 2,000 times. Limits, quiet hours and exits are not rehearsed.',
    access: 'read',
    params: id,
    body: z.object({ lastDays: z.int().min(1).max(30) }),
    status: 200,
    response: automationRehearsalSchema,
    errors: ['not_found'],
  }),
};
