import { type Database, rows } from '#db/database.ts';

/**
 * Entries that nothing asks for any more: nothing of them waits, and neither a rule of their automation nor a limit of a day
 * looks at them. One that takes each contact once has to know whom it has taken, until it has ended.
 */
const selectExpired = `
  select e.entry_id, a.steps
  from automation a join campaign c on c.campaign_id = a.automation_id
    cross join lateral (
      select e.entry_id from automation_entry e
      where e.automation_id = a.automation_id and e.entered_at < :before and e.decided_at is not null and e.status <> 'waiting'
        and not exists (select from automation_step s where s.entry_id = e.entry_id and s.claimed_at >= :before)
      order by e.entered_at limit :limit) e
  where case when c.status in ('sending', 'paused') then a.entry <> '"once"'
    else coalesce(c.closed_at, c.finished_at, a.updated_at) < :before end
  limit :limit`;

const forget = `
  with expired as materialized (${selectExpired}),
  counted as (
    insert into automation_sum as s (automation_id, day, status, reason, tenant_id, entries)
    select e.automation_id, (e.entered_at at time zone 'UTC')::date, e.status, coalesce(e.reason, ''), e.tenant_id, count(*)
    from expired join automation_entry e using (entry_id) group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4
    on conflict (automation_id, day, status, reason) do update set entries = s.entries + excluded.entries),
  counted_by_step as (
    insert into automation_step_sum as s (automation_id, step, status, tenant_id, entries)
    select e.automation_id, n.step, coalesce(t.status, 'skipped'), e.tenant_id, count(*)
    from expired x join automation_entry e using (entry_id)
      cross join generate_series(0, jsonb_array_length(x.steps) - 1) as n (step)
      left join automation_step t on t.entry_id = e.entry_id and t.step = n.step
    group by 1, 2, 3, 4 order by 1, 2, 3
    on conflict (automation_id, step, status) do update set entries = s.entries + excluded.entries)
  delete from automation_entry e using expired x where e.entry_id = x.entry_id returning 1`;

/**
 * Deletes some entries of automations from before `before`, with their steps; figures keep what they counted. By one caller at a
 * time. @returns how many.
 */
export function forgetEntries(database: Database, { before, limit }: { before: Date; limit: number }): Promise<number> {
  return database.transaction(async (transaction) => {
    await rows(transaction, `select pg_advisory_xact_lock(hashtextextended('forget entries of automations', 0))`, {});
    return (await rows(transaction, forget, { before, limit })).length;
  });
}
