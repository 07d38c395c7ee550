import type { Client } from '@temporalio/client';
import { type Database, rows } from '#db/database.ts';
import { createRule } from '#commands/outreach/rules/create-rule.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { applyRetentionScheduleId } from '#workflows/contracts/apply-retention.ts';
import { deleteOldPayloadsScheduleId } from '#workflows/contracts/delete-old-payloads.ts';
import { expireTemporaryTagsScheduleId } from '#workflows/contracts/expire-temporary-tags.ts';
import { noResponseScanScheduleId } from '#workflows/contracts/scan-no-response.ts';

interface Owner {
  tenantId: string;
  serviceNumberId: string;
}

/** Tags whose time has passed. @returns their ids. */
async function insertExpiredTags(database: Database, owner: Owner, count: number): Promise<string[]> {
  const made = await rows<{ tagId: string }>(
    database,
    `insert into tag (tag_id, tenant_id, service_number_id, name, source, kind, status, expires_at)
     select gen_random_uuid(), :tenantId, :serviceNumberId, 'Over ' || gen_random_uuid(), 'app_manual', 'temporary',
       'active', now() - interval '1 minute'
     from generate_series(1, :count) returning tag_id as "tagId"`,
    { ...owner, count },
  );
  return made.map(({ tagId }) => tagId);
}

/** A send completed three days ago, with `subTasks` sub-tasks of one contact each. */
async function insertOldSend(database: Database, owner: Owner, id: string, subTasks: number): Promise<void> {
  await rows(
    database,
    `with c as (insert into campaign (campaign_id, tenant_id, service_number_id, name, channels, messages, audience,
         schedule, status, dispatches, created_by)
       values (:id, :tenantId, :serviceNumberId, 'Old', '{default}', '[]', '{"type":"contacts","contactIds":[]}',
         '{"type":"immediate"}', 'completed', 1, 'capture')),
     d as (insert into dispatch (dispatch_id, tenant_id, campaign_id, number, audience_count, audience_hash, excluded,
         created_by, frozen_count, frozen_at)
       values (:id, :tenantId, :id, 1, :subTasks, '', '{}', 'capture', :subTasks, now())),
     t as (insert into broadcast_task (key, tenant_id, campaign_id, dispatch_id, chunk, status, contact_count, finished_at)
       select gen_random_uuid(), :tenantId, :id, :id, n, 'completed', 1, now() - interval '3 days'
       from generate_series(1, :subTasks) as n)
     insert into dispatch_chunk (dispatch_id, chunk, contact_ids) select :id, n, array['c-' || n]
     from generate_series(1, :subTasks) as n`,
    { ...owner, id, subTasks },
  );
}

/** Events handled a hundred days ago, more than one activity deletes. */
async function insertOldEvents(database: Database, { tenantId }: Owner, prefix: string, count: number): Promise<void> {
  await rows(
    database,
    `insert into event_inbox (tenant_integration_id, event_id, tenant_id, event_type, partition, payload, occurred_at,
       received_at, status)
     select tenant_integration_id, :prefix || n, tenant_id, 'contact.updated', 0, '{}', now() - interval '100 days',
       now() - interval '100 days', 'processed'
     from tenant_integration cross join generate_series(1, :count) as n where tenant_id = :tenantId`,
    { tenantId, prefix, count },
  );
}

async function insertTargetTag(database: Database, owner: Owner): Promise<string> {
  const [tag] = await rows<{ tagId: string }>(
    database,
    `insert into tag (tag_id, tenant_id, service_number_id, name, source, kind, status)
     values (gen_random_uuid(), :tenantId, :serviceNumberId, 'Quiet', 'app_manual', 'permanent', 'active')
     returning tag_id as "tagId"`,
    { ...owner },
  );
  return tag?.tagId ?? '';
}

const scheduleIds = [
  expireTemporaryTagsScheduleId,
  noResponseScanScheduleId,
  deleteOldPayloadsScheduleId,
  applyRetentionScheduleId,
];

const lastRun = (client: Client, type: string, status: string) =>
  eventually(
    `${type} is ${status}`,
    async () => {
      for await (const run of client.workflow.list({ query: `WorkflowType = '${type}'` }))
        if (run.status.name === status) return run.workflowId;
      return false;
    },
    { timeoutMs: 30_000 },
  );

/**
 * The scheduled workflows, in two batches each, and then again, held up by a lock.
 * @returns a function that releases the lock; until then the second runs stay open.
 */
export async function playTagFlows(client: Client, database: Database, owner: Owner): Promise<() => Promise<void>> {
  const author = { tenantId: owner.tenantId, userId: 'capture', requestId: null };
  const trigger = async (status: string) => {
    for (const id of scheduleIds) await client.schedule.getHandle(id).trigger();
    for (const type of ['expireTemporaryTags', 'scanNoResponse', 'deleteOldPayloads', 'applyRetention'])
      await lastRun(client, type, status);
  };
  const targetTagId = await insertTargetTag(database, owner);
  await createRule(
    database,
    author,
    {
      name: 'Quiet',
      triggerEvent: 'no_response_for_N_days',
      matchCondition: { all: [] },
      targetTagId,
      status: 'active',
      days: 2,
    },
    { now: new Date(), rulesPerTenant: 1 },
  );
  await insertExpiredTags(database, owner, 600);
  await insertOldSend(database, owner, 'capture-old-1', 60);
  await insertOldEvents(database, owner, 'old-', 50_001);
  await trigger('COMPLETED');
  const held = [targetTagId, ...(await insertExpiredTags(database, owner, 1))];
  await insertOldSend(database, owner, 'capture-old-2', 1);
  await insertOldEvents(database, owner, 'held-', 1);
  const lock = await database.transaction();
  await rows(lock, `select 1 from event_inbox where event_id = 'held-1' for update`, {});
  await rows(lock, 'select 1 from tag where tag_id = any(:held) order by tag_id for update', { held });
  await trigger('RUNNING');
  return async () => void (await lock.rollback());
}
