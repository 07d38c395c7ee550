import type { CredentialSource } from '../../../clients/platform/gateway.ts';
import type { CampaignRef } from '../deps.ts';

/** Open tasks are asked for at intervals up to this; a state that rests is looked at this often. */
export const SLOWEST_OPEN_MS = 60_000;

/** Calls to the platform that one activity makes at once. */
export const CALLS_AT_ONCE = 16;

/** What the calls of one polling activity share. */
export interface PollRun extends CampaignRef {
  credentials: CredentialSource;
  now: Date;
}
