import { type Database, firstRow, rows } from '#db/database.ts';

export const unfinished = `
  select c.tenant_id, c.campaign_id, c.name from campaign c
  where c.status in ('sending', 'scheduled', 'paused', 'cancelled', 'closed') and (
    exists (select 1 from broadcast_task t where t.campaign_id = c.campaign_id and t.status in ('pending', 'submitting'))
    or exists (select 1 from dispatch d where d.campaign_id = c.campaign_id and d.frozen_at is null and d.freeze_at <= :now))
  order by c.tenant_id, c.campaign_id`;

export const doubted = `
  with doubted as (
    update broadcast_task set status = 'unknown', error_code = 'outcome_unknown', submitting_since = :now,
      error_message = 'The database was restored from a backup: it may have been sent after that'
    where tenant_id = :tenantId and campaign_id = :campaignId and status in ('pending', 'submitting')
    returning contact_count)
  select count(*)::int as tasks, coalesce(sum(contact_count), 0)::int as contacts from doubted`;

/** The last thing that the backup knows of: what happened since is lost. Null without any event. */
export async function lastKnown(database: Database): Promise<Date | null> {
  const row = await firstRow<{ at: Date | null }>(database, 'select max(received_at) as at from event_inbox', {});
  return row?.at ?? null;
}

/** Names of our processes that use the database. */
export async function servicesConnected(database: Database): Promise<string[]> {
  const found = await rows<{ name: string }>(
    database,
    `select distinct application_name as name from pg_stat_activity
     where datname = current_database() and application_name ~ '^(bff|backend|orders)' order by 1`,
    {},
  );
  return found.map(({ name }) => name);
}
