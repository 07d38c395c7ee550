import { z } from 'zod';
import { parseCron } from '../campaigns/repeats/cron.ts';
import { repeatStatuses } from '../campaigns/repeats/statuses.ts';
import { campaignStatuses } from './campaign.ts';
import { refinement } from './field-errors.ts';
import { etag, ifMatch } from './if-match.ts';
import { operation } from './operation.ts';
import { label, ownId, page, pageQuery, platformId, text, timestamp, wallTime, zoneName } from './primitives.ts';

/** When a repeat runs, by the clocks of its zone. */
export const repeatCalendarSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('daily'), at: wallTime }),
  z.object({
    type: z.literal('weekly'),
    at: wallTime,
    /** Monday is 1, Sunday 7. */
    days: z.array(z.int().min(1).max(7)).min(1).max(7),
  }),
  z.object({
    type: z.literal('monthly'),
    at: wallTime,
    /** The last day of months that are shorter. */
    day: z.int().min(1).max(31),
  }),
  z.object({
    type: z.literal('cron'),
    /** Minute, hour, day, month, day of the week, in numbers; one minute only, so once an hour at most. */
    expression: text(100).refine(
      (expression) => parseCron(expression) !== null,
      refinement('malformed', 'must be a cron expression of five numeric fields, the minute a single number'),
    ),
  }),
]);
export type RepeatCalendar = z.infer<typeof repeatCalendarSchema>;

/**
 * Why a repeat ended: an operator ended it, its end has come, it has had its runs, its template was deleted, its calendar has
 * no more times, or the tenant uninstalled.
 */
export const repeatEndReasons = ['operator', 'until', 'runs', 'template_deleted', 'no_times', 'uninstalled'] as const;
export type RepeatEndReason = (typeof repeatEndReasons)[number];

/** `restored`: it may have run after the backup that the database was restored from. */
export const repeatPauseReasons = ['operator', 'restored'] as const;
export type RepeatPauseReason = (typeof repeatPauseReasons)[number];

/**
 * What became of a run: its campaign was sent, or waits for approval; it was missed because the services were away for too
 * long; the campaign of the run before was still under way; or it could not be sent.
 */
export const repeatOutcomes = ['sent', 'approval', 'missed', 'overlap', 'refused'] as const;
export type RepeatOutcome = (typeof repeatOutcomes)[number];

const written = {
  name: label(150),
  calendar: repeatCalendarSchema,
  zone: zoneName,
  /** No run begins after it. */
  until: timestamp.nullable(),
  /** Ends after this many sends. */
  maxRuns: z.int().min(1).max(10_000).nullable(),
  /** Skips contacts reached by an earlier run. */
  skipReached: z.boolean(),
};

export const repeatBodySchema = z.object({
  ...written,
  /** The campaign whose content each run sends, as it is at that time. */
  campaignId: ownId,
  until: written.until.default(null),
  maxRuns: written.maxRuns.default(null),
  skipReached: written.skipReached.default(false),
});
export type RepeatBody = z.output<typeof repeatBodySchema>;

export const repeatPatchSchema = z.object(written).partial();
export type RepeatPatch = z.output<typeof repeatPatchSchema>;

export const repeatSchema = z
  .object({
    repeatId: ownId,
    etag,
    serviceNumberId: z.string(),
    name: z.string(),
    /** Null once the template was deleted. */
    campaignId: z.string().nullable(),
    campaignName: z.string().nullable(),
    calendar: repeatCalendarSchema,
    zone: z.string(),
    until: timestamp.nullable(),
    maxRuns: z.int().nullable(),
    skipReached: z.boolean(),
    status: z.enum(repeatStatuses),
    endReason: z.enum(repeatEndReasons).nullable(),
    /** Null unless it is paused. */
    pauseReason: z.enum(repeatPauseReasons).nullable(),
    /** When it runs next, and what clocks in the zone show then; null unless it is active. */
    nextAt: timestamp.nullable(),
    nextLocalTime: z.string().nullable(),
    /** How many runs made a campaign. */
    sends: z.int(),
    /** The newest run's outcome; null before the first. */
    lastOutcome: z.enum(repeatOutcomes).nullable(),
    /** In whose name it sends: who created or last resumed it. */
    startedBy: z.string(),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Repeat' });
export type Repeat = z.infer<typeof repeatSchema>;

export const repeatRunSchema = z
  .object({
    /** Counts the runs of the repeat, whatever their outcome. */
    number: z.int(),
    localTime: z.string(),
    dueAt: timestamp,
    /** When it was carried out, or found to be missed. */
    ranAt: timestamp,
    outcome: z.enum(repeatOutcomes),
    /** The code of the problem for which it was refused. */
    reason: z.string().nullable(),
    campaignId: z.string().nullable(),
    campaignStatus: z.enum(campaignStatuses).nullable(),
    /** Contacts that it is for, without those left out. */
    audienceCount: z.int().nullable(),
    /** Contacts that were left out because an earlier run reached them. */
    leftOut: z.int(),
  })
  .meta({ id: 'RepeatRun' });
export type RepeatRun = z.infer<typeof repeatRunSchema>;

const id = z.object({ repeatId: ownId });
const tag = 'campaigns';

export const repeatOperations = {
  listRepeats: operation({
    method: 'get',
    path: '/repeats',
    tag,
    summary: 'Campaigns on a calendar, newest first',
    access: 'read',
    query: z.object({
      ...pageQuery,
      serviceNumberId: platformId.optional(),
      status: z.enum(repeatStatuses).optional(),
      /** The template. */
      campaignId: ownId.optional(),
    }),
    status: 200,
    response: page(repeatSchema),
  }),
  createRepeat: operation({
    method: 'post',
    path: '/repeats',
    tag,
    summary: 'Sends copies of a campaign on a calendar',
    description:
      'Each run copies the content of the campaign as it then is, resolves its audience and sends it, as `:send` does: limits, ' +
      'approval, pace and holdout apply. A wall time that clocks skip runs at the first moment after it; one that they show ' +
      'twice runs once. A run that is more than six hours late is recorded as missed; so is one, as `overlap`, while the ' +
      'campaign of the one before is still under way.',
    access: 'write',
    body: repeatBodySchema,
    status: 201,
    response: repeatSchema,
    errors: ['invalid_content'],
  }),
  getRepeat: operation({
    method: 'get',
    path: '/repeats/{repeatId}',
    tag,
    summary: 'One campaign on a calendar',
    access: 'read',
    params: id,
    status: 200,
    response: repeatSchema,
    errors: ['not_found'],
  }),
  updateRepeat: operation({
    method: 'patch',
    path: '/repeats/{repeatId}',
    tag,
    summary: 'Changes when it runs, until when, and whom it leaves out; for the next run on',
    access: 'write',
    params: id,
    headers: ifMatch,
    readOnly: ['repeatId', 'serviceNumberId', 'campaignId', 'createdAt'],
    body: repeatPatchSchema,
    status: 200,
    response: repeatSchema,
    errors: ['not_found', 'stale', 'invalid_state', 'invalid_content'],
  }),
  pauseRepeat: operation({
    method: 'post',
    path: '/repeats/{repeatId}:pause',
    tag,
    summary: 'Stops its runs until it is resumed; campaigns that it has sent go on',
    access: 'write',
    params: id,
    status: 200,
    response: repeatSchema,
    errors: ['not_found', 'invalid_state'],
  }),
  resumeRepeat: operation({
    method: 'post',
    path: '/repeats/{repeatId}:resume',
    tag,
    summary: 'Goes on with the next time of its calendar, in the name of the caller',
    access: 'write',
    params: id,
    status: 200,
    response: repeatSchema,
    errors: ['not_found', 'invalid_state', 'invalid_content'],
  }),
  endRepeat: operation({
    method: 'post',
    path: '/repeats/{repeatId}:end',
    tag,
    summary: 'Ends it for good; campaigns that it has sent go on',
    access: 'write',
    params: id,
    status: 200,
    response: repeatSchema,
    errors: ['not_found', 'invalid_state'],
  }),
  listRepeatRuns: operation({
    method: 'get',
    path: '/repeats/{repeatId}/runs',
    tag,
    summary: 'Its runs, newest first, with their campaigns',
    access: 'read',
    params: id,
    query: z.object(pageQuery),
    status: 200,
    response: page(repeatRunSchema),
    errors: ['not_found'],
  }),
};
