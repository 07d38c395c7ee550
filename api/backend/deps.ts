import type { Registry } from 'prom-client';
import type { Launcher } from '../../activities/outreach/deps.ts';
import type { Broadcast } from '../../clients/platform/gateway.ts';
import type { Problem } from '../../domain/api/problem.ts';
import type { PlatformTaskStatus } from '../../domain/campaigns/states.ts';
import type { Database } from '../../db/database.ts';
import type { Encryption } from '../../db/encryption.ts';
import type { Author } from '../../db/outreach/audit/record.ts';
import type { createServe } from '../http/problem-api.ts';
import { currentRequestId } from '../http/request-id.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Actor } from './auth.ts';

/** One send of a campaign; 1 for the first. */
export interface SendNumber {
  campaignId: string;
  number: number;
}

/**
 * What the API asks of the workflows. All of it may be repeated, and a failure loses nothing, since sweeps start workflows
 * from their rows.
 */
export interface ApiLauncher extends Launcher {
  /** Ends the workflows of these campaigns and of all their sends. */
  endCampaigns(campaignIds: string[], sends: SendNumber[]): Promise<void>;
  /** Has the drafts of a stored request written; resolves when that has ended, or after a while without it. */
  writeCopy(request: { tenantId: string; copywritingId: string }): Promise<void>;
}

/** A task as the platform tells it (A2). */
export interface PlatformTask {
  taskId: string;
  status: PlatformTaskStatus;
}

/**
 * What came of a submission: a task, or the refusal to answer with. `nothingSent` says whether that is certain: an answer
 * may have got lost after its effect.
 */
export type Submitted = { taskId: string } | { taskId: null; problem: Problem; nothingSent: boolean };

export interface PlatformTasks {
  /**
   * Submits one broadcast (A1) once, whatever comes of it: `invalid_content` where the platform refuses it, `unavailable`
   * where it cannot be reached or its answer got lost.
   * @throws NothingSent where the secrets that sign it could not be read.
   */
  submitBroadcast(
    tenantId: string,
    serviceNumberId: string,
    call: { key: string; broadcast: Broadcast },
  ): Promise<Submitted>;

  /**
   * Asks the platform for a task; null where it does not know it.
   * @throws Problem `unavailable` where it cannot be asked.
   */
  readTask(tenantId: string, serviceNumberId: string, taskId: string): Promise<PlatformTask | null>;
}

/** What the routes use. */
export interface BackendDeps {
  database: Database;
  encryption: Encryption;
  launcher: ApiLauncher;
  platform: PlatformTasks;
  logger: Logger;
  appId: string;
  internalSecret: string;
  now: () => Date;
  checkResponses: boolean;
  toolApiEnabled: boolean;
  /** Whether there is an AI provider to ask. */
  aiConfigured: boolean;
  /** Where its metrics are kept. */
  registry: Registry;
}

/** Serves an operation to whoever the BFF vouched for. */
export type ServeActor = ReturnType<typeof createServe<Actor>>;

/** Serves an operation to the other services. */
export type ServeService = ReturnType<typeof createServe<null>>;

/** Who stands in the audit log for this call. */
export function authorOf({ tenantId, userId }: Actor): Author {
  return { tenantId, userId, requestId: currentRequestId() ?? null };
}
