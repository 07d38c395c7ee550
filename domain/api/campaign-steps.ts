import { z } from 'zod';
import { stepStates, STEPS_AT_MOST } from '../campaigns/steps/limits.ts';
import { campaignStatuses } from './campaign.ts';
import { operation } from './operation.ts';
import { ownId, timestamp } from './primitives.ts';
import { stepFields } from './steps.ts';

const position = z.int().min(1).max(STEPS_AT_MOST);

export const campaignStepSchema = z
  .object({
    ...stepFields,
    /** 1 for the first. */
    position,
    state: z.enum(stepStates),
    /**
     * Why it was or will not be sent, else null: the code of the problem, for example `audience_empty`; `operator`;
     * `previous_skipped`; `uninstalled`; or what became of the campaign (`campaign_cancelled`, `campaign_failed`,
     * `campaign_closed`) or of the step before (`previous_cancelled`, `previous_failed`, `previous_closed`,
     * `previous_deleted`, `previous_rejected`).
     */
    reason: z.string().nullable(),
    /**
     * Why one that waits is not sent before somebody resumes it. `restored`: it may have been sent after the backup that the
     * database was restored from.
     */
    pauseReason: z.enum(['restored']).nullable(),
    /** When it is, or was, due; null before the message before it was submitted to everybody. */
    dueAt: timestamp.nullable(),
    /** When it was sent, skipped or cancelled. */
    decidedAt: timestamp.nullable(),
    /** The campaign that it was sent as; null if it was not, or once that was deleted. */
    campaignId: z.string().nullable(),
    campaignStatus: z.enum(campaignStatuses).nullable(),
    audienceCount: z.int().nullable(),
    clickedContacts: z.int().nullable(),
  })
  .meta({ id: 'CampaignStep' });
export type CampaignStep = z.infer<typeof campaignStepSchema>;

/** Every step of the campaign, the first one first. */
const stepList = z.object({ items: z.array(campaignStepSchema) });

const id = z.object({ id: ownId });
const tag = 'campaigns';

export const stepOperations = {
  listSteps: operation({
    method: 'get',
    path: '/campaigns/{id}/steps',
    tag,
    summary: 'What follows the campaign, and where each step is',
    description:
      'A step is due so long after the last contacts of the message before it were submitted. It is then sent as a campaign of its ' +
      'own, to those who were reached and did, or did not do, what its condition says by then; whoever acts later is not decided ' +
      'about again. It waits while the message before it is under way. Its content and audience are part of what was approved with ' +
      'the campaign.',
    access: 'read',
    params: id,
    status: 200,
    response: stepList,
    errors: ['not_found'],
  }),
  cancelSteps: operation({
    method: 'post',
    path: '/campaigns/{id}/steps:cancel',
    tag,
    summary: 'Cancels the steps that were not sent, from one on; what was sent goes on',
    access: 'write',
    params: id,
    body: z.object({
      /** The first one to cancel. */
      from: position.default(1),
    }),
    status: 200,
    response: stepList,
    errors: ['not_found', 'invalid_state'],
  }),
  resumeSteps: operation({
    method: 'post',
    path: '/campaigns/{id}/steps:resume',
    tag,
    summary: 'Resumes a paused step, which is then sent when it is due, or at once if it was',
    access: 'write',
    params: id,
    status: 200,
    response: stepList,
    errors: ['not_found', 'invalid_state'],
  }),
};
