import { z } from 'zod';
import type { SubTask, SubTaskStatus } from '#domain/api/campaign.ts';
import type { Page } from '#domain/api/primitives.ts';
import { decodeCursor, pageOf } from '#domain/cursor.ts';
import { type Database, firstRow, rows } from '#db/database.ts';

export interface SubTaskRecord extends Omit<SubTask, 'submittedAt' | 'startedAt' | 'finishedAt' | 'error'> {
  number: number;
  chunk: number;
  /** Of an automation the step, from 0; of a campaign with variants whose messages it has. */
  variant: number | null;
  errorCode: string | null;
  errorMessage: string | null;
  submittedAt: Date | null;
  startedAt: Date | null;
  finishedAt: Date | null;
  submittingSince: Date | null;
}

// The send is the parent only if it was split (S0, Audience and dispatch rules 2).
const selectSubTask = `
  select t.key, t.task_id, t.status, t.contact_count, t.recipient_count, t.error_code, t.error_message,
    t.started_at, t.finished_at, t.submitting_since, coalesce(t.submitted_at, t.submitting_since) as submitted_at,
    json_build_object('sent', t.sent, 'delivered', t.delivered, 'failed', t.failed, 'read', t.read) as summary,
    case when exists (select 1 from broadcast_task o where o.dispatch_id = t.dispatch_id and o.key <> t.key)
      then t.dispatch_id end as parent_task_id,
    d.number, t.chunk, t.variant
  from broadcast_task t join dispatch d using (dispatch_id)`;

export interface SubTaskFilter {
  limit: number;
  cursor?: string | undefined;
  status?: SubTaskStatus | undefined;
  /** The key of a sub-task, or its id at the platform. */
  task?: string | undefined;
}

/** Sub-tasks of all sends of a campaign, in the order they were stored. */
export async function listSubTasks(
  database: Database,
  tenantId: string,
  campaignId: string,
  { limit, cursor, status, task }: SubTaskFilter,
): Promise<Page<SubTaskRecord>> {
  const ordinal = z.int().min(0).max(2_000_000_000);
  const after = decodeCursor(z.tuple([ordinal, ordinal]), cursor);
  const found = await rows<SubTaskRecord>(
    database,
    `${selectSubTask} where t.tenant_id = :tenantId and t.campaign_id = :campaignId
       ${status === undefined ? '' : 'and t.status = :status'}
       ${task === undefined ? '' : 'and (t.key = :task or t.task_id = :task)'}
       ${after ? 'and (d.number, t.chunk) > (:number, :chunk)' : ''}
     order by d.number, t.chunk limit :rows`,
    { tenantId, campaignId, status, task, number: after?.[0], chunk: after?.[1], rows: limit + 1 },
  );
  return pageOf(found, limit, (row) => [row.number, row.chunk]);
}

/** Null if the campaign has no such sub-task. */
export function findSubTask(
  database: Database,
  tenantId: string,
  campaignId: string,
  key: string,
): Promise<SubTaskRecord | null> {
  return firstRow<SubTaskRecord>(
    database,
    `${selectSubTask} where t.tenant_id = :tenantId and t.campaign_id = :campaignId and t.key = :key`,
    { tenantId, campaignId, key },
  );
}
