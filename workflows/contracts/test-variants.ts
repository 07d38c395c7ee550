import { defineSignal } from '@temporalio/workflow';
import type { CampaignRef } from '#activities/outreach/deps.ts';

/** The campaign whose variants are tested; everything else is in its rows. */
export type TestVariantsInput = CampaignRef;

export interface TestVariantsResult {
  /** Position of the winning variant; null if no contacts were left. */
  chosen: number | null;
}

/** A variant was chosen, or the campaign was paused, resumed or cancelled: look at the test now. */
export const variantsWakeSignal = defineSignal('wake');

/** `variants:<campaignId>`. */
export function variantsWorkflowId(campaignId: string): string {
  return `variants:${campaignId}`;
}
