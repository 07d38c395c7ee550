import { z } from 'zod';
import { campaignPhases, campaignReasons } from '../campaigns/standing.ts';
import { operation } from './operation.ts';
import { ownId, platformId, timestamp } from './primitives.ts';

export const standingCampaignSchema = z
  .object({
    campaignId: ownId,
    /** Its current phase. */
    phase: z.enum(campaignPhases),
    /** Why it is stalled, as far as known. */
    reason: z.enum(campaignReasons),
    /** When it last made progress. */
    since: timestamp,
    /** How long its phase may last without progress. */
    expectedSeconds: z.int(),
    /** Since when the reason holds; null where that is not known. */
    reasonSince: timestamp.nullable(),
    /** When it ends on its own; null if unknown. */
    until: timestamp.nullable(),
  })
  .meta({ id: 'StandingCampaign' });
export type StandingCampaign = z.infer<typeof standingCampaignSchema>;

export const standingOperations = {
  listStandingCampaigns: operation({
    method: 'get',
    path: '/standing-campaigns',
    tag: 'campaigns',
    summary: 'Campaigns that have made no progress for longer than expected, with the reason',
    description:
      'What counts as progress, and how long each phase may go on without, is the same for operators and for alerts. At ' +
      'most 500.',
    access: 'read',
    query: z.object({ serviceNumberId: platformId.optional(), campaignId: ownId.optional() }),
    status: 200,
    response: z.object({ items: z.array(standingCampaignSchema) }),
  }),
};
