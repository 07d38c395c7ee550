import { type Database, firstRow } from '#db/database.ts';
import { integrationActive } from '../sql-fragments.ts';

export interface InboxFigures {
  stored: number;
  failed: number;
  /** Of the oldest event that is due; 0 if none is. */
  lagSeconds: number;
}

/** Across all tenants: for the operators of the service; no tenant can be identified from it. */
export async function readInboxFigures(database: Database): Promise<InboxFigures> {
  const row = await firstRow<InboxFigures>(
    database,
    `select (select count(*) from event_inbox where status = 'stored') as stored,
            (select count(*) from event_inbox where status = 'failed') as failed,
            (select coalesce(extract(epoch from now() - min(next_attempt_at)), 0)::float8 from event_inbox
              where status = 'stored' and next_attempt_at <= now()) as lag_seconds`,
    {},
  );
  return row ?? { stored: 0, failed: 0, lagSeconds: 0 };
}

/** Sub-tasks of all tenants whose submission has an unknown outcome. */
export async function readUnknownSubTasks(database: Database): Promise<number> {
  const row = await firstRow<{ count: number }>(
    database,
    `select count(*) as count from broadcast_task where status = 'unknown'`,
    {},
  );
  return row?.count ?? 0;
}

/** For how long, in seconds, the oldest step of active automations of all tenants has been due and in no sub-task; 0: none is. */
export async function readOverdueAutomations(database: Database): Promise<number> {
  const row = await firstRow<{ seconds: number }>(
    database,
    `select coalesce(extract(epoch from now() - min(d.due_at)), 0)::float8 as seconds
     from automation a join campaign c on c.campaign_id = a.automation_id
       cross join lateral (select s.due_at from automation_step s
         where s.automation_id = a.automation_id and s.status = 'waiting' and s.sub_task_key is null and s.due_at <= now()
         order by s.due_at limit 1) d
     where c.status = 'sending' and ${integrationActive('a')}`,
    {},
  );
  return row?.seconds ?? 0;
}
