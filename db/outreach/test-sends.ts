import { type FieldError, Problem } from '../../domain/api/problem.ts';
import { type Database, rows, type Transaction } from '../database.ts';
import { type Author, recordAudit } from './audit.ts';
import type { CampaignRecord } from './campaigns.ts';

/** @throws Problem `invalid_content` naming each contact that the service number does not reach. */
async function refuseUnreachable(
  transaction: Transaction,
  { tenantId, serviceNumberId }: CampaignRecord,
  contactIds: string[],
): Promise<void> {
  const found = await rows<{ contactId: string }>(
    transaction,
    `select contact_id as "contactId" from contact_profile
     where tenant_id = :tenantId and service_number_id = :serviceNumberId and contact_id = any(:contactIds)
       and follow_state = 'following' and not unsubscribed`,
    { tenantId, serviceNumberId, contactIds },
  );
  const reachable = new Set(found.map(({ contactId }) => contactId));
  const errors: FieldError[] = contactIds.flatMap((id, index) =>
    reachable.has(id) ? [] : [{ path: `/contactIds/${index}`, message: 'is unknown or cannot be reached' }],
  );
  if (errors.length > 0) throw new Problem('invalid_content', 'Some contacts cannot be reached', { errors });
}

/** Notes a test send before its call. @throws Problem `invalid_content` for contacts that are unknown or not reachable. */
export function prepareTestSend(
  db: Database,
  author: Author,
  campaign: CampaignRecord,
  test: { key: string; contactIds: string[]; now: Date },
): Promise<void> {
  return db.transaction(async (transaction) => {
    await refuseUnreachable(transaction, campaign, test.contactIds);
    await rows(
      transaction,
      `insert into test_send (key, tenant_id, campaign_id, created_at) values (:key, :tenantId, :campaignId, :now)`,
      { tenantId: author.tenantId, campaignId: campaign.id, key: test.key, now: test.now },
    );
    await recordAudit(transaction, author, {
      action: 'campaign.test_send',
      objectType: 'campaign',
      objectId: campaign.id,
      after: { contacts: new Set(test.contactIds).size, key: test.key },
    });
  });
}

/**
 * The platform's task of test sends is known, by its answer or by a click that names the key: clicks that waited for it
 * are due.
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
       select distinct on (tenant_id, task_id) * from unnest(:tenantIds::text[], :keys::text[], :taskIds::text[])
         as g(tenant_id, key, task_id) order by tenant_id, task_id
     ), known as (
       update test_send t set task_id = n.task_id from named n
       where t.tenant_id = n.tenant_id and t.key = n.key and t.task_id is null
         and not exists (select 1 from test_send o where o.tenant_id = n.tenant_id and o.task_id = n.task_id)
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

/** Which of these tasks are tests. */
export function testTasks(
  transaction: Transaction,
  wanted: { tenantId: string; value: string }[],
): Promise<{ tenantId: string; taskId: string }[]> {
  return rows(
    transaction,
    `select t.tenant_id as "tenantId", t.task_id as "taskId" from test_send t
     join (select distinct * from unnest(:tenantIds::text[], :values::text[])) as g(tenant_id, value)
       on t.tenant_id = g.tenant_id and t.task_id = g.value`,
    { tenantIds: wanted.map(({ tenantId }) => tenantId), values: wanted.map(({ value }) => value) },
  );
}
