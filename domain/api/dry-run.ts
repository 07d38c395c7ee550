import { z } from 'zod';
import { CASES } from '../campaigns/cases/limits.ts';
import { sendForecastSchema } from './forecast.ts';
import { ifMatch } from './if-match.ts';
import { messagesSchema } from './messages.ts';
import { caseNameSchema } from './messages-by.ts';
import { operation } from './operation.ts';
import { ownId, timestamp } from './primitives.ts';

export const dryRunWarningCodes = [
  'audience_empty',
  'schedule_passed',
  'end_before_start',
  'source_pending',
  'link_without_https',
  'link_untracked',
  'link_too_long',
  'variable_left',
  'variants_alike',
  'variant_empty',
  'case_empty',
  'contacts_expired_tags',
  'contacts_unsubscribed',
  'contacts_unreachable',
  'contacts_in_control_group',
  'same_audience',
] as const;

/**
 * Something an operator should know before sending; only `audience_empty`, `schedule_passed` and `end_before_start`
 * would block `:send`.
 */
export const dryRunWarningSchema = z
  .object({
    code: z.enum(dryRunWarningCodes),
    /** The place in the campaign, as a JSON pointer; absent if it concerns the campaign as a whole. */
    path: z.string().optional(),
    message: z.string(),
    /** The number of contacts concerned. */
    contacts: z.int().optional(),
  })
  .meta({ id: 'DryRunWarning' });
export type DryRunWarning = z.infer<typeof dryRunWarningSchema>;

/** An A1 body (S0) as `:send` would create it. */
const broadcastSchema = z
  .object({
    name: z.string(),
    note: z.string().optional(),
    channels: z.array(z.string()),
    messages: messagesSchema,
    audience: z.object({ type: z.literal('contacts'), contactIds: z.array(z.string()) }),
    schedule: z.discriminatedUnion('type', [
      z.object({ type: z.literal('immediate') }),
      z.object({ type: z.literal('scheduled'), at: timestamp }),
    ]),
  })
  .meta({ id: 'Broadcast' });

export const dryRunSchema = z
  .object({
    audienceCount: z.int(),
    /** Contacts that would be held back as a control group; not in `audienceCount`. */
    controlCount: z.int(),
    /** Contacts that would get nothing, because they are in no case; not in `audienceCount`. */
    skippedByCase: z.int(),
    chunks: z.array(z.object({ contactCount: z.int() })),
    /** Of the first sub-tasks; with variants or cases, of the first of each. */
    requests: z.array(broadcastSchema).max(CASES + 1),
    /** How many would get which variant; empty without variants. Who is in none of them is the rest. */
    variants: z.array(z.object({ name: z.string(), contactCount: z.int() })),
    /** How many would get the messages of which case; empty without cases. */
    cases: z.array(z.object({ case: caseNameSchema, values: z.array(z.string()), contactCount: z.int() })),
    /** Number of follow-up messages; who gets them depends on responses and is not known in advance. */
    followingCount: z.int(),
    warnings: z.array(dryRunWarningSchema),
    /** What the send is going to take; kept, so that it can be compared afterwards. */
    forecast: sendForecastSchema,
  })
  .meta({ id: 'DryRun' });
export type DryRun = z.infer<typeof dryRunSchema>;

/** Why a contact entered or left an audience: the application's own reasons. */
export const driftReasons = [
  'unsubscribed',
  'resubscribed',
  'unreachable',
  'reachable',
  'tag_added',
  'tag_removed',
  'tag_expired',
  'tag_revived',
  'list_changed',
  'match_changed',
  'holdout_changed',
  'control_group_changed',
  'sample_changed',
  'case_changed',
  'audience_changed',
] as const;
export type DriftReason = (typeof driftReasons)[number];

const driftEntry = z.object({ contactId: z.string(), reason: z.enum(driftReasons) });
const instant = z.object({ at: timestamp, audienceCount: z.int() });

/** The maximum number of contacts listed on each side. */
export const NAMED_DRIFT = 1000;

export const audienceDriftSchema = z
  .object({
    added: z.array(driftEntry),
    removed: z.array(driftEntry),
    addedCount: z.int(),
    removedCount: z.int(),
    reasons: z.array(
      z.object({ change: z.enum(['added', 'removed']), reason: z.enum(driftReasons), contacts: z.int() }),
    ),
    /** The dry run compared with; null if there was none before the send. */
    dryRun: instant.nullable(),
    /** The first send; null for a draft. */
    sent: instant.nullable(),
  })
  .meta({ id: 'AudienceDrift' });
export type AudienceDrift = z.infer<typeof audienceDriftSchema>;

const id = z.object({ id: ownId });
const tag = 'campaigns';

export const dryRunOperations = {
  dryRunCampaign: operation({
    method: 'post',
    path: '/campaigns/{id}:dry-run',
    tag,
    summary: 'Rehearses a send without the platform, and stores the resolved set in place of the last one',
    description:
      'Only for drafts. `requests` shows the first three A1 bodies: sub-tasks get their keys only when they are sent, ' +
      'so `subTaskKey` is `dry-run-<n>`, and an InboundReason has no `sourceId` yet (warning `source_pending`). What ' +
      '`:send` would reject with 409 `audience_empty`, or with 422 for a time in the past, is a warning here.',
    access: 'write',
    params: id,
    headers: ifMatch,
    status: 200,
    response: dryRunSchema,
    errors: ['not_found', 'invalid_state', 'stale', 'invalid_content', 'rate_limited'],
  }),
  getAudienceDrift: operation({
    method: 'get',
    path: '/campaigns/{id}/audience-drift',
    tag,
    summary: 'Contacts that the first send reached but the last dry run before it did not, and vice versa',
    description:
      'One reason per contact, the first that applies, as of the send; the platform’s governance is not visible ' +
      'for a single contact. Each side lists at most 1,000 contacts, by id; the counts and ' +
      '`reasons` cover all of them. The stored set is that of `:dry-run`: `/audiences:preview` belongs to no campaign and ' +
      'stores nothing; `expectedReachableCount` compares its count with the send. If no dry run was made ' +
      '(`dryRun` is null) or nothing was sent (`sent` is null), there is nothing to compare and both lists are empty. A ' +
      'retry sends to contacts of the first send, so it has no drift of its own.',
    access: 'read',
    params: id,
    status: 200,
    response: audienceDriftSchema,
    errors: ['not_found'],
  }),
};
