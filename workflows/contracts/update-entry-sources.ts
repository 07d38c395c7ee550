import { defineSignal } from '@temporalio/workflow';
import type { CampaignRef } from '../../activities/outreach/deps.ts';

export type UpdateEntrySourcesInput = CampaignRef;

export interface UpdateEntrySourcesResult {
  /** F2 calls made by this run. */
  updated: number;
}

/** The name or end changed again. */
export const updateSourcesWakeSignal = defineSignal('wake');

/** `entry-sources:<campaignId>`. */
export function updateSourcesWorkflowId(campaignId: string): string {
  return `entry-sources:${campaignId}`;
}

/** The campaign id from such a workflow id; null if it is not one. */
export function parseUpdateSourcesWorkflowId(id: string): string | null {
  return /^entry-sources:([A-Za-z0-9_-]{1,64})$/.exec(id)?.[1] ?? null;
}
