import { Model } from 'objection';
import type { SubTaskStatus } from '#domain/api/campaign.ts';

/** One send of a campaign. */
export class DispatchRow extends Model {
  static override tableName = 'dispatch';
  static override idColumn = 'dispatchId';

  declare dispatchId: string;
  declare tenantId: string;
  declare campaignId: string;
  declare number: number;
  declare retryOf: string | null;
  declare idempotencyKey: string | null;
  declare scheduledAt: Date | null;
}

/** A sub-task: its row is the unit of exactly-once. Its status is changed by SQL (sends/ledger). */
export class BroadcastTaskRow extends Model {
  static override tableName = 'broadcast_task';
  static override idColumn = 'key';

  declare key: string;
  declare tenantId: string;
  declare campaignId: string;
  declare dispatchId: string;
  declare chunk: number;
  declare taskId: string | null;
  declare status: SubTaskStatus;
  declare supersededBy: string | null;
}

export class DryRunRow extends Model {
  static override tableName = 'dry_run';
  static override idColumn = 'dryRunId';

  declare dryRunId: string;
  declare campaignId: string;
  declare audienceHash: string;
}

export class TestSendRow extends Model {
  static override tableName = 'test_send';
  static override idColumn = 'key';

  declare key: string;
  declare tenantId: string;
  declare campaignId: string;
  declare taskId: string | null;
  declare contactCount: number;
  declare createdAt: Date;
  declare endedAt: Date | null;
}
