import { defineSignal } from '@temporalio/workflow';
import type { CampaignRef } from '#activities/outreach/deps.ts';
import type { CampaignStatus } from '#domain/api/campaign.ts';

export interface PollTaskStatusInput extends CampaignRef {
  /** The last status that an earlier run showed. */
  status?: CampaignStatus | null;
}

export interface PollTaskStatusResult {
  status: CampaignStatus | null;
}

/** Something has to be polled or cancelled sooner than the rows said before. */
export const pollWakeSignal = defineSignal('wake');

/** `poll:<campaignId>`: one workflow per campaign, for all its sends. */
export function pollWorkflowId(campaignId: string): string {
  return `poll:${campaignId}`;
}
