import { setTimeout } from 'node:timers/promises';
import type { Database } from '#db/database.ts';
import type { Encryption } from '#db/encryption.ts';
import type { AudienceOwner } from '#db/outreach/audiences/owner.ts';
import type { RepeatKey } from '#db/outreach/repeats/repeats.ts';
import type { CampaignWorkflow } from '#db/outreach/tenants/uninstall.ts';
import type { CampaignStatus } from '#domain/api/campaign.ts';
import type { ClickTokens } from '#domain/campaigns/revenue/click-token.ts';
import type { RetentionSettings } from '#domain/retention.ts';
import type { Traces } from '#domain/tracing.ts';
import type { Settings } from '#domain/settings/settings.ts';
import type { TextModel } from '#clients/ai/chat-completions.ts';
import type { PlatformGateway } from '#clients/platform/gateway.ts';
import type { Pacing } from './pacing/pacing.ts';

/** One send whose rows are stored. */
export interface Send {
  tenantId: string;
  campaignId: string;
  dispatchId: string;
  /** 1 for the first send of the campaign. */
  number: number;
}

export interface CampaignRef {
  tenantId: string;
  campaignId: string;
}

/** `now` is the workflow's time, ISO 8601: a retried run decides as it did before. */
export interface AsOf {
  now: string;
}

/** Includes the campaign's status if it is known, so that operators can find the workflow by it from the start. */
export type Started<Ref> = Ref & { status?: CampaignStatus };

/** The result of a start: of several concurrent ones, one starts the workflow and the others find it running. */
export type Launched = 'started' | 'running';

/** Starts workflows. With `wake`, a running one also reads its rows immediately. */
export interface Launcher {
  dispatch(send: Started<Send>, options: { wake: boolean }): Promise<Launched>;
  polling(campaign: Started<CampaignRef>, options: { wake: boolean }): Promise<Launched>;
  /** Closes the campaign if its end has passed, and ends the entry sources of a closed one. */
  closing(campaign: Started<CampaignRef>, options: { wake: boolean }): Promise<Launched>;
  /** Reports a new name or end of the campaign's entry sources to the platform. */
  sourceUpdates(campaign: Started<CampaignRef>, options: { wake: boolean }): Promise<Launched>;
  /** Evaluates the campaign's variant test until a winner is chosen or no contacts are left. */
  variantTest(campaign: Started<CampaignRef>, options: { wake: boolean }): Promise<Launched>;
  /** Drives the automations of a service number for as long as something of them is due soon. */
  automations(number: AudienceOwner, options: { wake: boolean }): Promise<Launched>;
  /** Sends the steps of the campaign when they are due. */
  steps(campaign: Started<CampaignRef>, options: { wake: boolean }): Promise<Launched>;
  inbox(partition: number): Promise<void>;
  /** Starts the due runs of a repeat. */
  repeat(repeat: RepeatKey): Promise<Launched>;
  /** Sets the run times of a repeat's Schedule; without any there is no Schedule. */
  repeatSchedule(repeat: RepeatKey, times: Date[]): Promise<void>;
  /** Cancels a workflow, if it is running. */
  end(workflow: CampaignWorkflow): Promise<void>;
}

export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface OutreachDeps {
  database: Database;
  encryption: Encryption;
  gateway: PlatformGateway;
  pacing: Pacing;
  launcher: Launcher;
  /** For the links of campaigns that follow what orders from them are paid. */
  clickTokens: Pick<ClickTokens, 'issue'>;
  /** Null if no AI provider is configured. */
  textModel: TextModel | null;
  log: Log;
  /** Null unless they are switched on. */
  traces: Traces | null;
  settings: RetentionSettings &
    Pick<
      Settings,
      | 'PLATFORM_APP_ID'
      | 'PLATFORM_A1_IDEMPOTENT'
      | 'POLL_INTERVAL_MS'
      | 'SCHEDULE_GRACE_MS'
      | 'INBOX_PARTITIONS'
      | 'AUTOMATIONS_WINDOW_MS'
      | 'AUTOMATIONS_LOOK_MS'
    >;
  now: () => Date;
  /** How long a cancelled activity may continue to store platform responses. */
  drainMs: number;
  /** Rejects once `cancelled` is aborted. */
  sleep: (ms: number, cancelled: AbortSignal) => Promise<void>;
}

/** Sleeps in real time. */
export const sleepFor: OutreachDeps['sleep'] = (ms, cancelled) => setTimeout(ms, undefined, { signal: cancelled });

/** A1 ends within this time, whatever its outcome. */
export const CALL_TIMEOUT_MS = 15_000;

/** A submission older than this is no longer in a call, no matter who began it. From then on an operator may resolve it. */
export const SUBMISSION_STALE_MS = 20_000;
