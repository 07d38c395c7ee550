import { type FieldError, Problem, invalidField } from '../../../domain/api/problem.ts';
import { type Database, rows, type Transaction } from '../../database.ts';
import { type Author, recordAudit } from '../audit/record.ts';
import type { CampaignRecord } from '../campaigns/campaigns.ts';
import { TestSendRow } from '../models/sends.ts';
import { assertActiveServiceNumber } from '../tenants/service-numbers.ts';

/** @throws Problem `invalid_content` naming each contact that the service number does not reach. */
async function rejectUnreachable(
  transaction: Transaction,
  { tenantId, serviceNumberId }: CampaignRecord,
  contactIds: string[],
): Promise<void> {
  const found = await rows<{ contactId: string }>(
    transaction,
    `select contact_id from contact_profile
     where tenant_id = :tenantId and service_number_id = :serviceNumberId and contact_id = any(:contactIds)
       and follow_state = 'following' and not unsubscribed`,
    { tenantId, serviceNumberId, contactIds },
  );
  const reachable = new Set(found.map(({ contactId }) => contactId));
  const errors: FieldError[] = contactIds.flatMap((id, index) =>
    reachable.has(id) ? [] : [invalidField(`/contactIds/${index}`, 'unreachable_contact', { contactId: id })],
  );
  if (errors.length > 0) throw new Problem('invalid_content', 'Some contacts cannot be reached', { errors });
}

export interface TestSendCall {
  key: string;
  idempotencyKey: string | null;
  /** The name of the variant that is tried; null for the campaign's own messages. */
  variant: string | null;
  contactIds: string[];
  now: Date;
}

/** A test send that was requested before. */
export interface EarlierTestSend {
  taskId: string | null;
  contactCount: number;
  startedAt: Date;
  /** Null while its call is in progress, and if the process that made it died. */
  endedAt: Date | null;
}

/**
 * Records a test send before its call. Of several with the same Idempotency-Key, one is recorded.
 * @returns the one recorded earlier with this Idempotency-Key; null if this one must be sent.
 * @throws Problem `invalid_content` for contacts that are unknown or not reachable, and for a service number that is
 * not active.
 */
export function prepareTestSend(
  database: Database,
  author: Author,
  campaign: CampaignRecord,
  { key, idempotencyKey, variant, contactIds, now }: TestSendCall,
): Promise<EarlierTestSend | null> {
  const { tenantId } = author;
  const contactCount = new Set(contactIds).size;
  return database.transaction(async (transaction) => {
    const earlier = await findTestSend(transaction, campaign.id, idempotencyKey);
    if (earlier) return earlier;
    await assertActiveServiceNumber(transaction, tenantId, campaign.serviceNumberId);
    await rejectUnreachable(transaction, campaign, contactIds);
    const noted = await rows(
      transaction,
      `insert into test_send (key, tenant_id, campaign_id, idempotency_key, contact_count, created_at)
       values (:key, :tenantId, :campaignId, :idempotencyKey, :contactCount, :now)
       on conflict (campaign_id, idempotency_key) where idempotency_key is not null do nothing returning 1`,
      { key, tenantId, campaignId: campaign.id, idempotencyKey, contactCount, now },
    );
    if (noted.length === 0) return await findTestSend(transaction, campaign.id, idempotencyKey);
    await recordAudit(transaction, author, {
      action: 'campaign.test_send',
      objectType: 'campaign',
      objectId: campaign.id,
      after: { contacts: contactCount, key, ...(variant === null ? {} : { variant }) },
    });
    return null;
  });
}

/** Null if no test of the campaign was requested with this key. */
export async function findTestSend(
  database: Database,
  campaignId: string,
  idempotencyKey: string | null,
): Promise<EarlierTestSend | null> {
  if (idempotencyKey === null) return null;
  const row = await TestSendRow.query(database).findOne({ campaignId, idempotencyKey });
  return row ? { ...row, startedAt: row.createdAt } : null;
}

/** The call of a test ended without a task. If it certainly sent nothing, its Idempotency-Key may be used again. */
export async function recordTestFailure(
  database: Database,
  { tenantId, key, nothingSent, now }: { tenantId: string; key: string; nothingSent: boolean; now: Date },
): Promise<void> {
  await TestSendRow.query(database)
    .where({ tenantId, key })
    .patch({ endedAt: now, ...(nothingSent ? { idempotencyKey: null } : {}) });
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
