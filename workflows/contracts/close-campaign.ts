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

/** The campaign id from such a workflow id; null if it is not one. */
export function parseCloseWorkflowId(id: string): string | null {
  return /^close:([A-Za-z0-9_-]{1,64})$/.exec(id)?.[1] ?? null;
}
