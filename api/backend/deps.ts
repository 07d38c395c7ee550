import type { Registry } from 'prom-client';
import type { Launcher } from '#activities/outreach/deps.ts';
import type { OutsideAddresses } from '#clients/addresses/outside-addresses.ts';
import type { ReadWaitingRefunds } from '#clients/orders/waiting-refunds.ts';
import type { Broadcast, PlatformTaskReport } from '#clients/platform/gateway.ts';
import type { Retention } from '#domain/retention.ts';
import type { Problem } from '#domain/api/problem.ts';
import type { Database } from '#db/database.ts';
import type { Encryption } from '#db/encryption.ts';
import type { Secrets } from '#domain/keys/secrets.ts';
import type { Author } from '#db/outreach/audit/record.ts';
import type { createServe } from '../http/problem-api.ts';
import { auditedIds } from '../http/request-id.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Actor, Caller } from './auth.ts';
import type { RefusalTrail } from './refusals.ts';
import type { Uploads } from './routes/audiences/uploads.ts';

/**
 * What the API asks of the workflows. Every call is safe to retry, and a failed call loses nothing, since sweeps start
 * workflows from their rows.
 */
export interface ApiLauncher extends Launcher {
  /** Starts writing the drafts of a stored request. Resolves when that ends, or after a limited wait. */
  writeCopy(request: { tenantId: string; copywritingId: string }): Promise<void>;

  /** Billed actions of a campaign's first send, until the platform had finished it; null if its workflows are no longer kept. */
  actionsOf(campaignId: string): Promise<number | null>;
}

/** A task as the platform reports it (A2). */
export interface PlatformTask extends PlatformTaskReport {
  taskId: string;
}

/** Outcome of a submission: a task, or the error to respond with, which says where it may have had an effect nevertheless. */
export type Submitted = { taskId: string } | { taskId: null; problem: Problem };

export interface PlatformTasks {
  /**
   * Submits one broadcast (A1), without retries. The problem is `invalid_content` if the platform rejects it, and
   * `unavailable` if the platform cannot be reached or its response was lost.
   * @throws NothingSent if the secrets that sign the call could not be read.
   */
  submitBroadcast(
    tenantId: string,
    serviceNumberId: string,
    call: { key: string; broadcast: Broadcast },
  ): Promise<Submitted>;

  /**
   * Reads a task from the platform; null if the platform does not know it.
   * @throws Problem `invalid_content` if the platform rejects the id, `unavailable` if it cannot be asked.
   */
  readTask(tenantId: string, serviceNumberId: string, taskId: string): Promise<PlatformTask | null>;
}

/** Dependencies of the routes. */
export interface BackendDeps {
  database: Database;
  encryption: Encryption;
  /** Which addresses a webhook may have. */
  targets: OutsideAddresses;
  launcher: ApiLauncher;
  platform: PlatformTasks;
  logger: Logger;
  refusals: Pick<RefusalTrail, 'note' | 'ofActor'>;
  appId: string;
  retention: Retention;
  /** How often an open task is polled at first. */
  pollIntervalMs: number;
  /** Calls that the platform lets one integration make in a second. */
  callsPerSecond: number;
  internalSecrets: Secrets;
  now: () => Date;
  checkResponses: boolean;
  toolApiEnabled: boolean;
  /** Previews per minute for one caller of the Tool API; those of people are counted by the BFF. */
  previewsPerMinute: number;
  automationsPerTenant: number;
  /** The interval of automations' looks at segments; null: what each says. */
  automationsLookMs: number | null;
  rulesPerTenant: number;
  /** Whether an AI provider is configured. */
  aiConfigured: boolean;
  readWaitingRefunds: ReadWaitingRefunds;
  uploads: Uploads;
  /** Registry for the API's metrics. */
  registry: Registry;
}

/** Serves an operation to people that the BFF vouched for. */
export type ServeActor = ReturnType<typeof createServe<Caller>>;

/** Serves an operation to other services. */
export type ServeService = ReturnType<typeof createServe<null>>;

/** The author that the audit log shows for this call. */
export function authorOf({ tenantId, userId }: Pick<Actor, 'tenantId' | 'userId'>): Author {
  return { tenantId, userId, ...auditedIds() };
}
