import { type Database, firstRow, rows } from '#db/database.ts';
import type { AudienceOwner } from '../audiences/owner.ts';
import { isDriven } from '../sends/ledger/conditions.ts';
import type { ChunkRange, DispatchKey } from '../sends/ledger/ledger.ts';
import { integrationActive } from '../sql-fragments.ts';

const ofNumber = `automation a join campaign c on c.campaign_id = a.automation_id
  where a.tenant_id = :tenantId and c.service_number_id = :serviceNumberId and ${isDriven('c')}
    and ${integrationActive('a')}`;

const undecided = `exists (
  select from automation_entry e where e.automation_id = a.automation_id and e.decided_at is null)`;

/** SQL: whether a step of the automation `a`, which is active, was due at `by`. */
const due = (by: string) => `(c.status = 'sending' and exists (select from automation_step s
  where s.automation_id = a.automation_id and s.status = 'waiting' and s.sub_task_key is null and s.due_at <= ${by}))`;

const idsOf = async (database: Database, sql: string, bindings: Record<string, unknown>): Promise<string[]> =>
  (await rows<{ id: string }>(database, sql, bindings)).map(({ id }) => id);

/** Automations with causes about which nothing is decided, paused ones as well. */
export const withUndecided = (database: Database, number: AudienceOwner): Promise<string[]> =>
  idsOf(database, `select a.automation_id as id from ${ofNumber} and ${undecided} order by 1`, { ...number });

/** Automations whose moment to look at dates or a segment has come, paused ones as well. */
export const withDueLooks = (database: Database, number: AudienceOwner, now: Date): Promise<string[]> =>
  idsOf(database, `select a.automation_id as id from ${ofNumber} and a.next_look_at <= :now order by 1`, {
    ...number,
    now,
  });

/** Active automations with steps that were due at `by`. */
export const withDue = (database: Database, number: AudienceOwner, by: Date): Promise<string[]> =>
  idsOf(database, `select a.automation_id as id from ${ofNumber} and ${due(':by')} order by 1`, { ...number, by });

/** Active automations without an entry source, each with its first send. */
export function withoutSource(
  database: Database,
  number: AudienceOwner,
): Promise<{ campaignId: string; dispatchId: string }[]> {
  return rows(
    database,
    `select c.campaign_id, d.dispatch_id from automation a join campaign c on c.campaign_id = a.automation_id
       join dispatch d on d.campaign_id = c.campaign_id and d.number = 1
     where a.tenant_id = :tenantId and c.service_number_id = :serviceNumberId and c.status = 'sending'
       and c.source_id is null and ${integrationActive('a')} order by 1`,
    { ...number },
  );
}

/** Sends of automations with sub-tasks that are not settled, each with their range. */
export function unsettledSends(database: Database, number: AudienceOwner): Promise<(DispatchKey & ChunkRange)[]> {
  return rows(
    database,
    `select t.tenant_id, t.dispatch_id, min(t.chunk) as "from", max(t.chunk) as "to"
     from broadcast_task t join campaign c using (campaign_id)
     where t.tenant_id = :tenantId and t.status in ('pending', 'submitting') and ${isDriven('c')}
       and c.service_number_id = :serviceNumberId and (c.status = 'sending' or t.status = 'submitting')
       and ${integrationActive('t')}
     group by t.tenant_id, t.dispatch_id order by t.dispatch_id`,
    { ...number },
  );
}

/** Automations with tasks that are to be polled. */
export const withDuePolls = (database: Database, number: AudienceOwner, now: Date): Promise<string[]> =>
  idsOf(
    database,
    `select a.automation_id as id from ${ofNumber} and exists (
       select from broadcast_task t where t.campaign_id = a.automation_id and t.next_poll_at <= :now) order by 1`,
    { ...number, now },
  );

/** What comes next of the automations of a number; null: nothing. */
export interface NextTimes {
  /** When the step that is next was, or is, due; of active ones. */
  dueAt: Date | null;
  pollAt: Date | null;
  lookAt: Date | null;
  isUndecided: boolean;
}

export async function nextTimes(database: Database, number: AudienceOwner): Promise<NextTimes> {
  const row = await firstRow<NextTimes>(
    database,
    `select min(n.due_at) as due_at, min(p.poll_at) as poll_at, min(a.next_look_at) as look_at, coalesce(bool_or(${undecided}), false) as is_undecided
     from automation a join campaign c on c.campaign_id = a.automation_id
       left join lateral (select s.due_at from automation_step s
         where c.status = 'sending' and s.automation_id = a.automation_id and s.status = 'waiting'
           and s.sub_task_key is null order by s.due_at limit 1) n on true
       left join lateral (select t.next_poll_at as poll_at from broadcast_task t
         where t.campaign_id = a.automation_id and t.next_poll_at is not null order by t.next_poll_at limit 1) p on true
     where a.tenant_id = :tenantId and c.service_number_id = :serviceNumberId and ${isDriven('c')}
       and ${integrationActive('a')}`,
    { ...number },
  );
  return row ?? { dueAt: null, pollAt: null, lookAt: null, isUndecided: false };
}

/** Service numbers with something to decide, send, settle or poll since `before`: nobody may drive them. In random order. */
export function neglectedNumbers(
  database: Database,
  { before, limit }: { before: Date; limit: number },
): Promise<AudienceOwner[]> {
  return rows<AudienceOwner>(
    database,
    `select tenant_id, service_number_id from (
       select distinct a.tenant_id, c.service_number_id
       from automation a join campaign c on c.campaign_id = a.automation_id
       where ${isDriven('c')} and ${integrationActive('a')} and (
         exists (select from automation_entry e
           where e.automation_id = a.automation_id and e.decided_at is null and e.entered_at <= :before)
         or ${due(':before')}
         or a.next_look_at <= :before
         or exists (select from broadcast_task t
           where t.campaign_id = c.campaign_id and t.status in ('pending', 'submitting')
             and (c.status = 'sending' or t.status = 'submitting')
             and greatest(t.created_at, t.submitting_since, t.next_attempt_at) <= :before)
         or exists (select from broadcast_task t
           where t.campaign_id = c.campaign_id and t.next_poll_at <= :before))) found
     order by random() limit :limit`,
    { before, limit },
  );
}
