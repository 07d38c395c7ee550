import { z } from 'zod';
import {
  campaignBodySchema,
  campaignPatchSchema,
  campaignSchema,
  clickSchema,
  listedCampaignSchema,
  progressSchema,
  resolutionSchema,
  resultsSchema,
  subTaskSchema,
  subTaskStatuses,
  testSendSchema,
} from './campaign.ts';
import { INLINE_LIST_BYTES } from './audiences.ts';
import { campaignFilter } from './campaign-filter.ts';
import { clickFilterQuery } from './follow-ups.ts';
import { IDEMPOTENCY_HEADER, idempotencyKeySchema } from './idempotency.ts';
import { ifMatch } from './if-match.ts';
import { operation } from './operation.ts';
import { ownId, page, pageQuery, platformId } from './primitives.ts';
import { variantName } from './variants.ts';

const id = z.object({ id: ownId });
const tag = 'campaigns';
/** Kept for as long as there is the campaign. */
const idempotencyKey = z.object({ [IDEMPOTENCY_HEADER]: idempotencyKeySchema.optional() });

const keyAndMatch = idempotencyKey.extend(ifMatch.shape);

export const campaignOperations = {
  listCampaigns: operation({
    method: 'get',
    path: '/campaigns',
    tag,
    summary: 'Campaigns, newest first',
    access: 'read',
    query: z.object({ ...pageQuery, ...campaignFilter }),
    status: 200,
    response: page(listedCampaignSchema),
  }),
  listEventCodes: operation({
    method: 'get',
    path: '/event-codes',
    tag,
    summary: 'Event codes of replies in the last 100 campaigns, to choose from',
    access: 'read',
    query: z.object({ serviceNumberId: platformId.optional() }),
    status: 200,
    response: z.object({ items: z.array(z.string()) }),
  }),
  createCampaign: operation({
    method: 'post',
    path: '/campaigns',
    tag,
    summary: 'Creates a draft',
    access: 'write',
    body: campaignBodySchema,
    example: {
      name: 'Autumn beans',
      serviceNumberId: 'sn-harbor',
      messages: [{ type: 'text', text: 'The autumn beans are here.' }],
      audience: { type: 'contacts', contactIds: ['sn-harbor-000001'] },
      schedule: { type: 'immediate' },
    },
    maxBodyBytes: INLINE_LIST_BYTES,
    status: 201,
    response: campaignSchema,
    errors: ['invalid_content'],
  }),
  getCampaign: operation({
    method: 'get',
    path: '/campaigns/{id}',
    tag,
    summary: 'One campaign, with its version as ETag',
    access: 'read',
    params: id,
    status: 200,
    response: campaignSchema,
    errors: ['not_found'],
  }),
  updateCampaign: operation({
    method: 'patch',
    path: '/campaigns/{id}',
    tag,
    summary: 'Changes a draft; a scheduled campaign until it starts; after that only name, note, labels and endsAt',
    description:
      '`messages` replace `messagesBy`, and the other way round. ' +
      'Of a scheduled campaign, `schedule`, `messages`, `messagesBy`, `name`, `note` and `endsAt` may change. Its tasks are cancelled at ' +
      'the platform (A3) and submitted again with the new content (A1). If the platform has begun one of them, the ' +
      'response is 409 `invalid_state`, and what was cancelled is submitted again as it was. Cancelling many tasks takes ' +
      'longer than a request: after 45 s the response has a `pendingEdit` and the content from before, and the change is ' +
      'made later.',
    access: 'write',
    params: id,
    headers: ifMatch,
    readOnly: ['id', 'createdBy', 'createdAt'],
    excluding: ['messages', 'messagesBy'],
    body: campaignPatchSchema,
    maxBodyBytes: INLINE_LIST_BYTES,
    status: 200,
    response: campaignSchema,
    errors: ['not_found', 'if_match_required', 'stale', 'invalid_state', 'approval_required', 'invalid_content'],
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
    errors: ['not_found', 'if_match_required', 'stale', 'invalid_state'],
  }),
  duplicateCampaign: operation({
    method: 'post',
    path: '/campaigns/{id}:duplicate',
    tag,
    summary: 'Copies the content into a new draft',
    access: 'write',
    params: id,
    status: 201,
    response: campaignSchema,
    errors: ['not_found', 'invalid_content'],
  }),
  sendCampaign: operation({
    method: 'post',
    path: '/campaigns/{id}:send',
    tag,
    summary: 'Resolves the audience, freezes it and starts sending',
    description:
      'With more contacts than `sendsNeedApproval` of the tenant’s settings, it stays a draft, and its `approval` waits.',
    access: 'write',
    params: id,
    headers: keyAndMatch,
    body: z.object({ expectedReachableCount: z.int().min(0).optional() }).optional(),
    status: 202,
    response: campaignSchema,
    errors: ['not_found', 'invalid_state', 'stale', 'audience_changed', 'audience_empty', 'invalid_content'],
  }),
  pauseCampaign: operation({
    method: 'post',
    path: '/campaigns/{id}:pause',
    tag,
    summary: 'Stops what has not been submitted yet',
    access: 'write',
    params: id,
    status: 200,
    response: campaignSchema,
    errors: ['not_found', 'invalid_state'],
  }),
  resumeCampaign: operation({
    method: 'post',
    path: '/campaigns/{id}:resume',
    tag,
    summary: 'Resumes a paused campaign',
    access: 'write',
    params: id,
    status: 200,
    response: campaignSchema,
    errors: ['not_found', 'invalid_state', 'approval_required'],
  }),
  cancelCampaign: operation({
    method: 'post',
    path: '/campaigns/{id}:cancel',
    tag,
    summary: 'Cancels scheduled sub-tasks on the platform and those not submitted yet',
    description:
      '409 if all sub-tasks are known to have begun. Otherwise `cancelOutcome` says how it ended: `too_late` if the ' +
      'platform had begun all of them when A3 arrived, and the campaign then ends as its sub-tasks do.',
    access: 'write',
    params: id,
    status: 200,
    response: campaignSchema,
    errors: ['not_found', 'invalid_state'],
  }),
  closeCampaign: operation({
    method: 'post',
    path: '/campaigns/{id}:close',
    tag,
    summary:
      'Closes a sent campaign: nothing more is sent, and its entry source ends (F3); happens automatically at endsAt',
    access: 'write',
    params: id,
    status: 200,
    response: campaignSchema,
    errors: ['not_found', 'invalid_state'],
  }),
  retryFailed: operation({
    method: 'post',
    path: '/campaigns/{id}:retry-failed',
    tag,
    summary: 'Sends again to exactly the contacts of sub-tasks that were rejected, or failed with nothing sent',
    description:
      'Nothing sent means a reported `summary.sent` of 0; null is not 0. The platform is asked (A2) first about every ' +
      'task among them: what it has sent after all is not sent again, and what it cannot be asked about stays for another ' +
      'call, as does whatever exceeds 1,000 tasks. 503 if that leaves nothing to retry.',
    access: 'write',
    params: id,
    headers: idempotencyKey,
    status: 202,
    response: campaignSchema,
    errors: ['not_found', 'invalid_state', 'invalid_content', 'unavailable'],
  }),
  testSendCampaign: operation({
    method: 'post',
    path: '/campaigns/{id}:test-send',
    tag,
    summary: 'Sends the content, even of a draft, to at most 20 chosen contacts; test sends are not counted anywhere',
    description:
      'While `sendsNeedApproval` is set, it reaches only `testContacts` of the tenant’s settings: 403 `test_contacts_only`.',
    access: 'write',
    params: id,
    headers: ifMatch,
    body: z.object({
      contactIds: z.array(platformId).min(1).max(20),
      /** Which of the campaign's variants, by its name; without it the campaign's own messages, which are the first. */
      variant: variantName.optional(),
    }),
    status: 200,
    response: testSendSchema,
    errors: ['not_found', 'test_contacts_only', 'stale', 'invalid_content', 'rate_limited', 'unavailable'],
  }),
  resolveSubTask: operation({
    method: 'post',
    path: '/campaigns/{id}/tasks/{key}:resolve',
    tag,
    summary: 'Resolves an unknown sub-task',
    access: 'write',
    params: z.object({ id: ownId, key: ownId }),
    body: resolutionSchema,
    status: 200,
    response: subTaskSchema,
    errors: ['not_found', 'invalid_state', 'conflict', 'invalid_content', 'unavailable'],
  }),
  getProgress: operation({
    method: 'get',
    path: '/campaigns/{id}/progress',
    tag,
    summary: 'Sub-task states and counts; contacts of all states add up to audienceCount',
    access: 'read',
    params: id,
    status: 200,
    response: progressSchema,
    errors: ['not_found'],
  }),
  streamProgress: operation({
    method: 'get',
    path: '/campaigns/{id}/stream',
    tag,
    summary: 'Server-sent events named `progress`, each a Progress, sent on every change',
    access: 'read',
    params: id,
    status: 200,
    responseType: 'text/event-stream',
    response: progressSchema,
    errors: ['not_found', 'rate_limited'],
  }),
  getResults: operation({
    method: 'get',
    path: '/campaigns/{id}/results',
    tag,
    summary: 'Progress with clicks, conversations and tags',
    access: 'read',
    params: id,
    status: 200,
    response: resultsSchema,
    errors: ['not_found'],
  }),
  listSubTasks: operation({
    method: 'get',
    path: '/campaigns/{id}/tasks',
    tag,
    summary: 'Sub-tasks of every send of the campaign',
    access: 'read',
    params: id,
    query: z.object({
      ...pageQuery,
      status: z.enum(subTaskStatuses).optional(),
      /** The sub-task with this key, or this id at the platform. */
      task: platformId.optional(),
    }),
    status: 200,
    response: page(subTaskSchema),
    errors: ['not_found'],
  }),
  listClicks: operation({
    method: 'get',
    path: '/campaigns/{id}/clicks',
    tag,
    summary: 'Attributed clicks, newest first',
    access: 'read',
    params: id,
    query: z.object({ ...pageQuery, ...clickFilterQuery }),
    status: 200,
    response: page(clickSchema),
    errors: ['not_found'],
  }),
};
