import { z } from 'zod';
import { audienceSchema } from './audiences.ts';
import { messagesSchema } from './messages.ts';
import { operation } from './operation.ts';
import { label, ownId, page, pageQuery, platformId, text, timestamp } from './primitives.ts';

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

export const pauseReasons = ['operator', 'unauthorized', 'late'] as const;
export type PauseReason = (typeof pauseReasons)[number];

export const scheduleSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('immediate') }),
  z.object({ type: z.literal('scheduled'), at: timestamp }),
]);
export type Schedule = z.infer<typeof scheduleSchema>;

const writable = {
  name: label(200),
  note: text(2000).optional(),
  channels: z.array(label(64)).min(1).max(10),
  messages: messagesSchema,
  audience: audienceSchema,
  schedule: scheduleSchema,
  endsAt: timestamp.nullable().optional(),
};

export const campaignBodySchema = z.object({
  ...writable,
  channels: writable.channels.default(['default']),
  serviceNumberId: platformId,
});
export type CampaignBody = z.output<typeof campaignBodySchema>;

/** Any subset; `serviceNumberId` is read only to refuse a change of it by name. */
export const campaignPatchSchema = z.object({ ...writable, serviceNumberId: platformId }).partial();
export type CampaignPatch = z.output<typeof campaignPatchSchema>;

export const summarySchema = z.object({ sent: z.int(), delivered: z.int(), failed: z.int(), read: z.int() });
export type Summary = z.infer<typeof summarySchema>;

export const campaignSchema = z
  .object({
    id: ownId,
    name: z.string(),
    serviceNumberId: z.string(),
    note: z.string().nullable(),
    channels: z.array(z.string()),
    messages: messagesSchema,
    audience: audienceSchema,
    schedule: scheduleSchema,
    endsAt: timestamp.nullable(),
    status: z.enum(campaignStatuses),
    pauseReason: z.enum(pauseReasons).nullable(),
    sourceId: z.string().nullable(),
    /** Contacts frozen at the last send; null for a draft. */
    audienceCount: z.int().nullable(),
    summary: summarySchema,
    clickedContacts: z.int(),
    createdBy: z.string(),
    createdAt: timestamp,
    updatedAt: timestamp,
    sentAt: timestamp.nullable(),
    startedAt: timestamp.nullable(),
    finishedAt: timestamp.nullable(),
    closedAt: timestamp.nullable(),
  })
  .meta({ id: 'Campaign' });
export type Campaign = z.infer<typeof campaignSchema>;

export const subTaskSchema = z
  .object({
    key: z.string(),
    taskId: z.string().nullable(),
    parentTaskId: z.string().nullable(),
    status: z.enum(subTaskStatuses),
    contactCount: z.int(),
    recipientCount: z.int().nullable(),
    summary: summarySchema,
    error: z.object({ code: z.string(), message: z.string() }).optional(),
    startedAt: timestamp.nullable(),
    finishedAt: timestamp.nullable(),
  })
  .meta({ id: 'SubTask' });
export type SubTask = z.infer<typeof subTaskSchema>;

export const progressSchema = z
  .object({
    status: z.enum(campaignStatuses),
    audienceCount: z.int(),
    subTasks: z.partialRecord(z.enum(subTaskStatuses), z.object({ tasks: z.int(), contacts: z.int() })),
    summary: summarySchema,
    startedAt: timestamp.nullable(),
    finishedAt: timestamp.nullable(),
  })
  .meta({ id: 'Progress' });
export type Progress = z.infer<typeof progressSchema>;

export const resultsSchema = progressSchema
  .extend({
    clicks: z.object({
      total: z.int(),
      repeats: z.int(),
      uniqueContacts: z.int(),
      byAction: z.array(
        z.object({
          messageIndex: z.int(),
          actionIndex: z.int(),
          label: z.string(),
          clicks: z.int(),
          uniqueContacts: z.int(),
        }),
      ),
      byBizEventCode: z.array(z.object({ bizEventCode: z.string(), clicks: z.int(), uniqueContacts: z.int() })),
      series: z.array(z.object({ at: timestamp, clicks: z.int() })),
    }),
    conversations: z.object({ opened: z.int(), closed: z.int() }),
    tagged: z.array(z.object({ tagId: z.string(), contacts: z.int() })),
  })
  .meta({ id: 'Results' });
export type Results = z.infer<typeof resultsSchema>;

export const clickSchema = z
  .object({
    taskId: z.string(),
    contactId: z.string(),
    noticeId: z.string(),
    messageIndex: z.int().nullable(),
    actionIndex: z.int(),
    label: z.string().nullable(),
    bizEventCode: z.string().nullable(),
    clickedAt: timestamp,
    repeats: z.int(),
  })
  .meta({ id: 'Click' });
export type Click = z.infer<typeof clickSchema>;

const id = z.object({ id: ownId });
const tag = 'campaigns';
const ifMatch = z.object({ 'if-match': z.string().min(1).max(128).optional() });

export const campaignOperations = {
  listCampaigns: operation({
    method: 'get',
    path: '/campaigns',
    tag,
    summary: 'Campaigns, newest first',
    access: 'read',
    query: z.object({
      ...pageQuery,
      serviceNumberId: platformId.optional(),
      status: z.enum(campaignStatuses).optional(),
      q: text(200).optional(),
    }),
    status: 200,
    answer: page(campaignSchema),
  }),
  createCampaign: operation({
    method: 'post',
    path: '/campaigns',
    tag,
    summary: 'Creates a draft',
    access: 'write',
    body: campaignBodySchema,
    status: 201,
    answer: campaignSchema,
    problems: ['invalid_content'],
  }),
  getCampaign: operation({
    method: 'get',
    path: '/campaigns/{id}',
    tag,
    summary: 'One campaign, with its version as ETag',
    access: 'read',
    params: id,
    status: 200,
    answer: campaignSchema,
    problems: ['not_found'],
  }),
  updateCampaign: operation({
    method: 'patch',
    path: '/campaigns/{id}',
    tag,
    summary: 'Changes a draft; once sent only name, note and endsAt',
    access: 'write',
    params: id,
    headers: ifMatch,
    body: campaignPatchSchema,
    status: 200,
    answer: campaignSchema,
    problems: ['not_found', 'if_match_required', 'stale', 'invalid_state', 'invalid_content'],
  }),
  deleteCampaign: operation({
    method: 'delete',
    path: '/campaigns/{id}',
    tag,
    summary: 'Deletes a draft',
    access: 'write',
    params: id,
    headers: ifMatch,
    status: 204,
    problems: ['not_found', 'if_match_required', 'stale', 'invalid_state'],
  }),
  duplicateCampaign: operation({
    method: 'post',
    path: '/campaigns/{id}:duplicate',
    tag,
    summary: 'Copies the content into a new draft',
    access: 'write',
    params: id,
    status: 201,
    answer: campaignSchema,
    problems: ['not_found'],
  }),
  sendCampaign: operation({
    method: 'post',
    path: '/campaigns/{id}:send',
    tag,
    summary: 'Resolves the audience, freezes it and starts sending',
    access: 'write',
    params: id,
    headers: z.object({ 'idempotency-key': text(200).min(1).optional() }),
    body: z.object({ expectedReachableCount: z.int().min(0).optional() }).optional(),
    status: 202,
    answer: campaignSchema,
    problems: ['not_found', 'invalid_state', 'audience_changed', 'audience_empty', 'invalid_content'],
  }),
  pauseCampaign: operation({
    method: 'post',
    path: '/campaigns/{id}:pause',
    tag,
    summary: 'Stops what is not submitted yet',
    access: 'write',
    params: id,
    status: 200,
    answer: campaignSchema,
    problems: ['not_found', 'invalid_state'],
  }),
  resumeCampaign: operation({
    method: 'post',
    path: '/campaigns/{id}:resume',
    tag,
    summary: 'Goes on with what was paused',
    access: 'write',
    params: id,
    status: 200,
    answer: campaignSchema,
    problems: ['not_found', 'invalid_state'],
  }),
  cancelCampaign: operation({
    method: 'post',
    path: '/campaigns/{id}:cancel',
    tag,
    summary: 'Cancels scheduled sub-tasks at the platform and those not submitted yet',
    access: 'write',
    params: id,
    status: 200,
    answer: campaignSchema,
    problems: ['not_found', 'invalid_state'],
  }),
  resolveSubTask: operation({
    method: 'post',
    path: '/campaigns/{id}/tasks/{key}:resolve',
    tag,
    summary: 'Says what became of an unknown sub-task',
    access: 'write',
    params: z.object({ id: ownId, key: ownId }),
    body: z.discriminatedUnion('outcome', [
      z.object({ outcome: z.literal('sent'), taskId: platformId }),
      z.object({ outcome: z.literal('not_sent') }),
    ]),
    status: 200,
    answer: subTaskSchema,
    problems: ['not_found', 'invalid_state', 'conflict', 'invalid_content', 'unavailable'],
  }),
  getProgress: operation({
    method: 'get',
    path: '/campaigns/{id}/progress',
    tag,
    summary: 'Sub-task states and counts; contacts of all states add up to audienceCount',
    access: 'read',
    params: id,
    status: 200,
    answer: progressSchema,
    problems: ['not_found'],
  }),
  streamProgress: operation({
    method: 'get',
    path: '/campaigns/{id}/stream',
    tag,
    summary: 'Server-sent events named `progress`, each a Progress, sent when it changes',
    access: 'read',
    params: id,
    status: 200,
    answerType: 'text/event-stream',
    answer: progressSchema,
    problems: ['not_found'],
  }),
  getResults: operation({
    method: 'get',
    path: '/campaigns/{id}/results',
    tag,
    summary: 'Progress with clicks, conversations and tags',
    access: 'read',
    params: id,
    status: 200,
    answer: resultsSchema,
    problems: ['not_found'],
  }),
  listSubTasks: operation({
    method: 'get',
    path: '/campaigns/{id}/tasks',
    tag,
    summary: 'Sub-tasks of every send of the campaign',
    access: 'read',
    params: id,
    query: z.object({ ...pageQuery, status: z.enum(subTaskStatuses).optional() }),
    status: 200,
    answer: page(subTaskSchema),
    problems: ['not_found'],
  }),
  listClicks: operation({
    method: 'get',
    path: '/campaigns/{id}/clicks',
    tag,
    summary: 'Attributed clicks, newest first',
    access: 'read',
    params: id,
    query: z.object(pageQuery),
    status: 200,
    answer: page(clickSchema),
    problems: ['not_found'],
  }),
};
