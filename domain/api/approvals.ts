import { z } from 'zod';
import { campaignSchema } from './campaign.ts';
import { operation } from './operation.ts';
import { ownId, text } from './primitives.ts';

const tag = 'campaigns';
const id = z.object({ id: ownId });

/** Names the request that the caller saw: a later one may be for other content. */
const asked = { approvalId: ownId };

/** Sends to more contacts than `sendsNeedApproval` of the tenant's settings wait until another operator decides. */
export const approvalOperations = {
  approveSend: operation({
    method: 'post',
    path: '/campaigns/{id}:approve',
    tag,
    summary: 'Approves a send that another person asked for, and starts it',
    description:
      'The audience is resolved now. 409 `audience_changed` if it reaches another number of contacts than ' +
      '`expectedReachableCount` (the number of the request where absent), and 422 if the scheduled start has passed. 403 ' +
      '`own_request` for who asked, 409 `invalid_state` once somebody has decided. A campaign that is paused with the ' +
      'reason `approval` is sent at once.',
    access: 'write',
    onlyPeople: true,
    params: id,
    body: z.object({ ...asked, expectedReachableCount: z.int().min(0).optional() }),
    status: 202,
    response: campaignSchema,
    errors: ['not_found', 'own_request', 'invalid_state', 'audience_changed', 'audience_empty', 'invalid_content'],
  }),
  rejectSend: operation({
    method: 'post',
    path: '/campaigns/{id}:reject',
    tag,
    summary:
      'Rejects a send that another person asked for; it can be changed again, and one that is paused is cancelled',
    access: 'write',
    onlyPeople: true,
    params: id,
    body: z.object({ ...asked, reason: text(500).trim().min(1) }),
    status: 200,
    response: campaignSchema,
    errors: ['not_found', 'own_request', 'invalid_state'],
  }),
  withdrawSend: operation({
    method: 'post',
    path: '/campaigns/{id}:withdraw',
    tag,
    summary:
      'Takes back the own request for approval; the campaign can be changed again, and one that is paused is cancelled',
    access: 'write',
    params: id,
    body: z.object(asked),
    status: 200,
    response: campaignSchema,
    errors: ['not_found', 'forbidden', 'invalid_state'],
  }),
};
