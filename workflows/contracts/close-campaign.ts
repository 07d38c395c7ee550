import { defineSignal } from '@temporalio/workflow';
import type { CampaignRef } from '../../activities/outreach/deps.ts';

export type CloseCampaignInput = CampaignRef;

export interface CloseCampaignResult {
  /** False where its end was moved before it could be closed. */
  closed: boolean;
  /** Entry sources that were ended by this run. */
  sources: number;
}

/** The rows changed: look at them once more. */
export const closeWakeSignal = defineSignal('wake');

/** `close:<campaignId>`. */
export function closeWorkflowId(campaignId: string): string {
  return `close:${campaignId}`;
}

/** The campaign of such an id; null where it is none. */
export function parseCloseWorkflowId(id: string): string | null {
  return /^close:([A-Za-z0-9_-]{1,64})$/.exec(id)?.[1] ?? null;
}
