import { defineSignal } from '@temporalio/workflow';
import type { Send } from '../../activities/outreach/deps.ts';

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

/** The campaign id and number from such a workflow id; null if it is not one. */
export function parseDispatchWorkflowId(id: string): { campaignId: string; number: number } | null {
  const match = /^dispatch:([A-Za-z0-9_-]{1,64}):([1-9][0-9]*)$/.exec(id);
  return match?.[1] ? { campaignId: match[1], number: Number(match[2]) } : null;
}
