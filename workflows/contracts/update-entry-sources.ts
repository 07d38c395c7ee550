import { defineSignal } from '@temporalio/workflow';
import type { CampaignRef } from '../../activities/outreach/deps.ts';

export type UpdateEntrySourcesInput = CampaignRef;

export interface UpdateEntrySourcesResult {
  /** Calls of F2 that this run made. */
  updated: number;
}

/** Name or end changed once more. */
export const updateSourcesWakeSignal = defineSignal('wake');

/** `entry-sources:<campaignId>`. */
export function updateSourcesWorkflowId(campaignId: string): string {
  return `entry-sources:${campaignId}`;
}

/** The campaign of such an id; null where it is none. */
export function parseUpdateSourcesWorkflowId(id: string): string | null {
  return /^entry-sources:([A-Za-z0-9_-]{1,64})$/.exec(id)?.[1] ?? null;
}
