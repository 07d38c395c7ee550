import { defineSignal } from '@temporalio/workflow';
import type { Send } from '#activities/outreach/deps.ts';

/** One send; everything else is in its rows. */
export type DispatchCampaignInput = Send;

export interface DispatchCampaignResult {
  /** Sub-tasks held back by the campaign's state: paused, cancelled, or tenant uninstalled. */
  heldBack: number;
}

/** The campaign may send again, or its rows changed in some other way: read them now. */
export const dispatchWakeSignal = defineSignal('wake');

/** `dispatch:<campaignId>:<n>`: one workflow per send. */
export function dispatchWorkflowId(campaignId: string, number: number): string {
  return `dispatch:${campaignId}:${number}`;
}
