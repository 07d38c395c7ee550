import { defineSignal } from '@temporalio/workflow';
import type { CampaignRef } from '#activities/outreach/deps.ts';

export interface CloseCampaignInput extends CampaignRef {
  /** The campaign was cancelled: its entry sources end without it being closed. */
  cancelled?: true;
}

export interface CloseCampaignResult {
  /** False if the campaign was cancelled, or its end was moved before it could be closed. */
  closed: boolean;
  /** Entry sources ended by this run. */
  sources: number;
}

/** The rows have changed: read them again. */
export const closeWakeSignal = defineSignal('wake');

/** `close:<campaignId>`. */
export function closeWorkflowId(campaignId: string): string {
  return `close:${campaignId}`;
}
