import { type Database, firstRow, rows, type Transaction } from '../../../database.ts';
import type { CampaignKey } from './campaign-key.ts';
import { holdingCampaign } from './campaign-lock.ts';
import { pauseSending } from './ledger.ts';
import { refreshCampaign } from './status.ts';

/** A send that was not finished in the backup, and may have gone on since. */
export interface RestoredSend extends CampaignKey {
  name: string;
  /** Sub-tasks that became `unknown`, and their contacts. */
  tasks: number;
  contacts: number;
  /** Whether a part of its audience was not in sub-tasks yet: it is paused. */
  paused: boolean;
}

const unfinished = `
  select c.tenant_id, c.campaign_id, c.name from campaign c
  where c.status in ('sending', 'scheduled', 'paused', 'cancelled', 'closed') and (
    exists (select 1 from broadcast_task t where t.campaign_id = c.campaign_id and t.status in ('pending', 'submitting'))
    or exists (select 1 from dispatch d where d.campaign_id = c.campaign_id and d.frozen_at is null and d.freeze_at <= :now))
  order by c.tenant_id, c.campaign_id`;

const doubted = `
  with doubted as (
    update broadcast_task set status = 'unknown', error_code = 'outcome_unknown', submitting_since = :now,
      error_message = 'The database was restored from a backup: it may have been sent after that'
    where tenant_id = :tenantId and campaign_id = :campaignId and status in ('pending', 'submitting')
    returning contact_count)
  select count(*)::int as tasks, coalesce(sum(contact_count), 0)::int as contacts from doubted`;

async function doubt(transaction: Transaction, key: CampaignKey, now: Date): Promise<Omit<RestoredSend, 'name'>> {
  const paused = await firstRow<{ unfrozen: boolean }>(
    transaction,
    `select exists (select 1 from dispatch where campaign_id = :campaignId and frozen_at is null and freeze_at <= :now)
       as unfrozen`,
    { ...key, now },
  );
  const isPaused = paused?.unfrozen === true && (await pauseSending(transaction, { ...key, reason: 'operator', now }));
  const counted = await firstRow<{ tasks: number; contacts: number }>(transaction, doubted, { ...key, now });
  await refreshCampaign(transaction, key, now);
  return { ...key, tasks: counted?.tasks ?? 0, contacts: counted?.contacts ?? 0, paused: isPaused };
}

/**
 * After a restore, before anything runs: what a backup has as not sent may have been sent after it. Such sub-tasks become
 * `unknown`, so that the platform is asked about each, or evidence tells, before anything is sent again; sends
 * whose audience is not in sub-tasks yet are paused. Can be repeated.
 */
export async function doubtUnfinishedSends(database: Database, now: Date): Promise<RestoredSend[]> {
  const sends: RestoredSend[] = [];
  const found = await rows<CampaignKey & { name: string }>(database, unfinished, { now });
  for (const { name, ...key } of found) {
    const send = await holdingCampaign(database, key, (transaction) => doubt(transaction, key, now));
    sends.push({ ...send, name });
  }
  return sends;
}

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
