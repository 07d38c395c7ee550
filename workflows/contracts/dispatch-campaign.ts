import { defineSignal } from '@temporalio/workflow';
import type { Send } from '../../activities/outreach/deps.ts';

/** One send; everything else is in its rows. */
export type DispatchCampaignInput = Send;

export interface DispatchCampaignResult {
  /** Sub-tasks that the campaign's state kept back: paused, cancelled, or the tenant uninstalled. */
  heldBack: number;
}

/** The campaign may send again, or something else about its rows changed: look at once. */
export const dispatchWakeSignal = defineSignal('wake');

/** `dispatch:<campaignId>:<n>`: one per send. */
export function dispatchWorkflowId(campaignId: string, number: number): string {
  return `dispatch:${campaignId}:${number}`;
}

/** Campaign and number of such an id; null where it is none. */
export function parseDispatchWorkflowId(id: string): { campaignId: string; number: number } | null {
  const match = /^dispatch:([A-Za-z0-9_-]{1,64}):([1-9][0-9]*)$/.exec(id);
  return match?.[1] ? { campaignId: match[1], number: Number(match[2]) } : null;
}
