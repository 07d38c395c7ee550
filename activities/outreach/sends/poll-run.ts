import type { CredentialSource } from '../../../clients/platform/gateway.ts';
import type { CampaignRef } from '../deps.ts';

/** Open tasks are polled at intervals up to this; a resting state is checked this often. */
export const SLOWEST_OPEN_MS = 60_000;

/** Calls to the platform that one activity makes concurrently. */
export const CALLS_AT_ONCE = 16;

/** Shared by the calls of one polling activity. */
export interface PollRun extends CampaignRef {
  credentials: CredentialSource;
  now: Date;
}
