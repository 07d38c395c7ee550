import { defineSignal } from '@temporalio/workflow';
import type { CampaignRef } from '#activities/outreach/deps.ts';

/** The campaign that the steps follow; everything else is in its rows. */
export type FollowStepsInput = CampaignRef;

export interface FollowStepsResult {
  /** Steps that this run has sent. */
  sent: number;
}

/** Steps were cancelled, or the campaign changed: look at them now. */
export const stepsWakeSignal = defineSignal('wake');

/** `steps:<campaignId>`. */
export function stepsWorkflowId(campaignId: string): string {
  return `steps:${campaignId}`;
}
