import { defineSignal } from '@temporalio/workflow';
import type { CampaignRef } from '../../activities/outreach/deps.ts';

export type CloseCampaignInput = CampaignRef;

export interface CloseCampaignResult {
  /** False if the campaign's end was moved before it could be closed. */
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
