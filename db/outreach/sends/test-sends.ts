import { type Database, rows } from '#db/database.ts';
import { TestSendRow } from '../models/sends.ts';

/** The call of a test ended without a task. */
export async function recordTestFailure(
  database: Database,
  { tenantId, key, now }: { tenantId: string; key: string; now: Date },
): Promise<void> {
  await TestSendRow.query(database).where({ tenantId, key }).patch({ endedAt: now });
}

/**
 * The platform's task for test sends became known, by its response or by a click that names the key: clicks that
 * waited for it are due.
 */
export async function recordTestTasks(
  database: Database,
  tasks: { tenantId: string; key: string; taskId: string }[],
  now: Date,
): Promise<void> {
  if (tasks.length === 0) return;
  await rows(
    database,
    `with named as (
       select distinct on (tenant_id, key) * from unnest(:tenantIds::text[], :keys::text[], :taskIds::text[])
         as g(tenant_id, key, task_id) order by tenant_id, key, task_id
     ), known as (
       update test_send t set task_id = n.task_id, ended_at = :now from named n
       where t.tenant_id = n.tenant_id and t.key = n.key and t.task_id is null
       returning t.tenant_id, t.task_id
     )
     update event_inbox e set next_attempt_at = :now from known k
     where e.tenant_id = k.tenant_id and e.waiting_for = 'task:' || k.task_id and e.status = 'stored'`,
    {
      tenantIds: tasks.map(({ tenantId }) => tenantId),
      keys: tasks.map(({ key }) => key),
      taskIds: tasks.map(({ taskId }) => taskId),
      now,
    },
  );
}
