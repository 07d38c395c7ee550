import { defineSignal } from '@temporalio/workflow';
import type { CampaignRef } from '#activities/outreach/deps.ts';

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
