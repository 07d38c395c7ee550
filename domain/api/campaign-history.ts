import { z } from 'zod';
import { auditEntrySchema } from './audit.ts';
import { campaignStatuses, pauseReasons, subTaskStatuses } from './campaign.ts';
import { operation } from './operation.ts';
import { ownId, page, pageQuery, timestamp } from './primitives.ts';

/** The workflow types that move a campaign by themselves. */
export const campaignFlows = ['dispatchCampaign', 'pollTaskStatus', 'closeCampaign'] as const;

/** Who moved a campaign: somebody at the console, or the flows, its schedule and tools. */
export const historySides = ['people', 'system'] as const;
export type HistorySide = (typeof historySides)[number];

export const campaignHistoryItemSchema = z
  .discriminatedUnion('kind', [
    /** What somebody did; the audit log has it too. */
    auditEntrySchema.omit({ requestId: true, objectName: true }).extend({ kind: z.literal('change') }),
    /** The campaign's status moved without anybody's doing. */
    z.object({
      kind: z.literal('status'),
      at: timestamp,
      from: z.enum(campaignStatuses),
      to: z.enum(campaignStatuses),
      pauseReason: z.enum(pauseReasons).nullable(),
      flow: z.enum(campaignFlows),
    }),
    /** The platform took a sub-task on, or it came to its end. */
    z.object({
      kind: z.literal('sub_task'),
      at: timestamp,
      event: z.enum(['submitted', 'finished']),
      key: z.string(),
      taskId: z.string().nullable(),
      /** As it is now. */
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
