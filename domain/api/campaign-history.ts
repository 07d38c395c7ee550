import { z } from 'zod';
import { auditEntrySchema } from './audit.ts';
import { campaignStatuses, pauseReasons, subTaskStatuses } from './campaign.ts';
import { operation } from './operation.ts';
import { ownId, page, pageQuery, timestamp } from './primitives.ts';

/** The workflow types that change a campaign's status by themselves. */
export const campaignFlows = ['dispatchCampaign', 'pollTaskStatus', 'closeCampaign'] as const;

/** Who changed a campaign: a person at the console, or workflows, its schedule and tools. */
export const historySides = ['people', 'system'] as const;
export type HistorySide = (typeof historySides)[number];

export const campaignHistoryItemSchema = z
  .discriminatedUnion('kind', [
    /** A person's action; the audit log has it, too. */
    auditEntrySchema
      .omit({ requestId: true, callerRequestId: true, objectName: true })
      .extend({ kind: z.literal('change') }),
    /** The campaign's status changed without anyone's action. */
    z.object({
      kind: z.literal('status'),
      at: timestamp,
      from: z.enum(campaignStatuses),
      to: z.enum(campaignStatuses),
      pauseReason: z.enum(pauseReasons).nullable(),
      flow: z.enum(campaignFlows),
    }),
    /** The platform accepted a sub-task, or the sub-task ended. */
    z.object({
      kind: z.literal('sub_task'),
      at: timestamp,
      event: z.enum(['submitted', 'finished']),
      key: z.string(),
      taskId: z.string().nullable(),
      /** The current value. */
      status: z.enum(subTaskStatuses),
      contactCount: z.int(),
      errorCode: z.string().nullable(),
      flow: z.enum(campaignFlows),
    }),
    z.object({
      kind: z.literal('entry_source'),
      at: timestamp,
      event: z.enum(['created', 'ended']),
      sourceId: z.string(),
      flow: z.enum(campaignFlows),
    }),
  ])
  .meta({ id: 'CampaignHistoryItem' });
export type CampaignHistoryItem = z.infer<typeof campaignHistoryItemSchema>;

export const campaignHistoryOperations = {
  getCampaignHistory: operation({
    method: 'get',
    path: '/campaigns/{id}/history',
    tag: 'campaigns',
    summary: 'Every change and transition of a campaign, newest first',
    access: 'read',
    params: z.object({ id: ownId }),
    query: z.object({ ...pageQuery, by: z.enum(historySides).optional() }),
    status: 200,
    response: page(campaignHistoryItemSchema),
    errors: ['not_found'],
  }),
};
