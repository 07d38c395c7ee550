import { z } from 'zod';
import { campaignApprovals } from '../campaigns/approvals.ts';
import { LABELS } from '../campaigns/labels.ts';
import { figureNames } from '../campaigns/figures.ts';
import { campaignSorts } from '../lists/sorts.ts';
import { campaignStatuses } from './campaign.ts';
import { label, ownId, platformId, text, timestamp } from './primitives.ts';

const labelled = label(LABELS.characters);

/** What a list of campaigns can be limited to, and its order. */
export const campaignFilter = {
  serviceNumberId: platformId.optional(),
  status: z.enum(campaignStatuses).optional(),
  /** `waiting`: those whose send waits for another operator. */
  approval: z.enum(campaignApprovals).optional(),
  q: text(200).optional(),
  /** Campaigns with the sub-task that has this key, or this id at the platform. */
  task: platformId.optional(),
  /** Campaigns that use this saved audience. */
  audienceId: ownId.optional(),
  /** Has this label; where it is repeated, all of them. */
  label: z.union([labelled, z.array(labelled).max(LABELS.most)]).optional(),
  /** Sent, or created if not yet sent, in [from, to). */
  from: timestamp.optional(),
  to: timestamp.optional(),
  /** Campaigns that contribute to this figure of the overview; from and to then apply to the figure. */
  had: z.enum(figureNames).optional(),
  /** Newest first where absent. */
  sort: z.enum(campaignSorts).optional(),
};
