import { randomUUID } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { firstRow, rows, type Transaction } from '#db/database.ts';
import type { AudienceOwner } from '../audiences/owner.ts';
import { overClassifiedContacts } from '../audiences/resolution.ts';
import type { AutomationKey } from './automations.ts';

/** A step that is due. */
export interface DueStep {
  entryId: string;
  step: number;
  contactId: string;
  dueAt: Date;
  /** What its contact did about the step before; null for the first. */
  clicked: boolean | null;
  conversed: boolean | null;
}

const selectDue = `
  select s.entry_id, s.step, s.contact_id, s.due_at,
    case when s.step > 0 then exists (
      select from broadcast_task t join click_attribution k on k.tenant_id = t.tenant_id and k.task_id = t.task_id
        and k.campaign_id = t.campaign_id
      where t.key = b.sub_task_key and k.contact_id = s.contact_id) end as clicked,
    case when s.step > 0 then exists (
      select from conversation v where v.tenant_id = s.tenant_id and v.contact_id = s.contact_id
        and v.opened_at >= b.sent_at
        and (v.campaign_id = s.automation_id or v.service_number_id = :serviceNumberId)) end as conversed
  from automation_step s
    left join automation_step b on b.entry_id = s.entry_id and b.step = s.step - 1
  where s.automation_id = :automationId and s.status = 'waiting' and s.sub_task_key is null and s.due_at <= :now
  order by s.due_at, s.entry_id limit :limit for update of s`;

/** The steps of an automation that have been due for the longest, locked. */
export function takeDue(
  transaction: Transaction,
  { automationId }: AutomationKey,
  { serviceNumberId, now, limit }: { serviceNumberId: string; now: Date; limit: number },
): Promise<DueStep[]> {
  return rows<DueStep>(transaction, selectDue, { automationId, serviceNumberId, now, limit });
}

/** Those of the contacts that can be sent to; whoever came into the control group since entering is sent to all the same. */
export async function reachableOf(
  transaction: Transaction,
  owner: AudienceOwner,
  { contactIds, now }: { contactIds: string[]; now: Date },
): Promise<Set<string>> {
  const source = { kind: 'ids' as const, contactIds };
  const found = await overClassifiedContacts<{ contactId: string }>(
    transaction,
    owner,
    { source, now },
    (classified) => `select contact_id from (${classified}) classified where class in ('reachable', 'controlGroup')`,
  );
  return new Set(found.map(({ contactId }) => contactId));
}

const counted = `status <> 'skipped' and claimed_at > :now::timestamptz - interval '24 hours'`;

/** Messages of an automation in the last 24 hours, those whose outcome nobody knows included. */
export async function sentWithinDay(
  transaction: Transaction,
  { automationId }: AutomationKey,
  now: Date,
): Promise<number> {
  const row = await firstRow<{ count: number }>(
    transaction,
    `select count(*) as count from automation_step where automation_id = :automationId and ${counted}`,
    { automationId, now },
  );
  return row?.count ?? 0;
}

/** The same to each of the contacts, of all automations of the tenant together. */
export async function receivedWithinDay(
  transaction: Transaction,
  { tenantId }: AutomationKey,
  { contactIds, now }: { contactIds: string[]; now: Date },
): Promise<Map<string, number>> {
  const found = await rows<{ contactId: string; count: number }>(
    transaction,
    `select contact_id, count(*) as count from automation_step
     where tenant_id = :tenantId and contact_id = any(:contactIds) and ${counted} group by contact_id`,
    { tenantId, contactIds, now },
  );
  return new Map(found.map(({ contactId, count }) => [contactId, count]));
}

/** Claims of a tenant are counted one after the other, so that each sees those before. */
export async function countOneByOne(transaction: Transaction, tenantId: string): Promise<void> {
  await rows(
    transaction,
    `select pg_advisory_xact_lock(hashtextextended('automation limits ' || :tenantId::text, 0))`,
    {
      tenantId,
    },
  );
}

/** How many messages of all automations one contact may get in 24 hours; null: any number. */
export async function contactLimit(transaction: Transaction, tenantId: string): Promise<number | null> {
  const row = await firstRow<{ limit: number | null }>(
    transaction,
    'select automations_per_contact_per_day as limit from tenant where tenant_id = :tenantId',
    { tenantId },
  );
  return row?.limit ?? null;
}

type StepKey = Pick<DueStep, 'entryId' | 'step'>;

/** Ends steps without sending them, and their entries with them. */
export async function skipSteps(transaction: Transaction, skipped: (StepKey & { reason: string })[]): Promise<void> {
  if (skipped.length === 0) return;
  const entryIds = skipped.map(({ entryId }) => entryId);
  await rows(
    transaction,
    `update automation_step s set status = 'skipped', reason = g.reason
     from unnest(:entryIds::text[], :steps::int[], :reasons::text[]) as g (entry_id, step, reason)
     where s.entry_id = g.entry_id and s.step = g.step`,
    { entryIds, steps: skipped.map(({ step }) => step), reasons: skipped.map(({ reason }) => reason) },
  );
  await rows(transaction, 'select settle_automation_entries(:entryIds)', { entryIds });
}

/** Puts steps off until then. */
export async function putOff(transaction: Transaction, steps: StepKey[], until: Date): Promise<void> {
  await rows(
    transaction,
    `update automation_step s set due_at = :until
     from unnest(:entryIds::text[], :steps::int[]) as g (entry_id, step)
     where s.entry_id = g.entry_id and s.step = g.step`,
    { until, entryIds: steps.map(({ entryId }) => entryId), steps: steps.map(({ step }) => step) },
  );
}

const insertDispatch = `
  with counted as (
    update campaign set dispatches = dispatches + 1, updated_at = :now where campaign_id = :automationId
    returning dispatches)
  insert into dispatch (dispatch_id, tenant_id, campaign_id, number, source, audience_count, audience_hash, excluded,
    frozen_count, frozen_at, freeze_at, created_by, created_at)
  select :dispatchId, :tenantId, :automationId, dispatches, '{"kind": "ids"}', :contacts, '',
    '{"expiredTags": 0, "unsubscribed": 0, "unreachable": 0}', :contacts, :now, :now, :startedBy, :now
  from counted`;

const insertSubTasks = `
  insert into broadcast_task (key, tenant_id, campaign_id, dispatch_id, chunk, arm, variant, message_case, status, contact_count,
    created_at)
  select g.key, :tenantId, :automationId, :dispatchId, g.chunk, g.step, g.step, g.message_case, 'pending', g.contacts,
    :now::timestamptz
  from unnest(:keys::text[], :chunks::int[], :steps::int[], :cases::int[], :counts::int[])
    as g (key, chunk, step, message_case, contacts)`;

const insertChunk = `
  insert into dispatch_chunk (dispatch_id, chunk, contact_ids)
  values (:dispatchId, :chunk, array(select id from unnest(:contactIds::text[]) as id order by id))`;

const claimSteps = `
  update automation_step s set sub_task_key = g.key, claimed_at = :now
  from unnest(:entryIds::text[], :steps::int[], :keys::text[]) as g (entry_id, step, key)
  where s.entry_id = g.entry_id and s.step = g.step`;

/**
 * Stores a send of an automation whose lock the caller holds: one sub-task for each of `batches`, which are of one step and case
 * each, and have at most 1,000 contacts, each of them once.
 */
export async function insertBatches(
  transaction: Transaction,
  { tenantId, automationId }: AutomationKey,
  {
    batches,
    startedBy,
    now,
  }: { batches: (DueStep & { messageCase: number | null })[][]; startedBy: string; now: Date },
): Promise<void> {
  const send = { tenantId, automationId, dispatchId: uuidv7(), now };
  const tasks = batches.map((steps, chunk) => {
    const { step = 0, messageCase = null } = steps[0] ?? {};
    return { key: randomUUID(), chunk, step, messageCase, steps };
  });
  const all = tasks.flatMap(({ key, steps }) => steps.map((one) => ({ ...one, key })));
  await rows(transaction, insertDispatch, { ...send, contacts: all.length, startedBy });
  await rows(transaction, insertSubTasks, {
    ...send,
    keys: tasks.map(({ key }) => key),
    chunks: tasks.map(({ chunk }) => chunk),
    steps: tasks.map(({ step }) => step),
    cases: tasks.map(({ messageCase }) => messageCase),
    counts: tasks.map(({ steps }) => steps.length),
  });
  for (const { chunk, steps } of tasks)
    await rows(transaction, insertChunk, {
      dispatchId: send.dispatchId,
      chunk,
      contactIds: steps.map(({ contactId }) => contactId),
    });
  await rows(transaction, claimSteps, {
    now,
    entryIds: all.map(({ entryId }) => entryId),
    steps: all.map(({ step }) => step),
    keys: all.map(({ key }) => key),
  });
}
