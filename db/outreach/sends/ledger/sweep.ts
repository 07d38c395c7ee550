import type { CampaignStatus } from '#domain/api/campaign.ts';
import { type Database, rows } from '#db/database.ts';
import { integrationActive } from '#db/outreach/sql-fragments.ts';
import type { CampaignKey } from './campaign-key.ts';
import { awaitsChoice, isDriven } from './conditions.ts';

export interface SendKey extends CampaignKey {
  dispatchId: string;
  number: number;
  status: CampaignStatus;
}

/**
 * Sends that should have been prepared, or have a sub-task that should have been submitted, or settled, before `before`:
 * their workflow may be lost. Those of
 * automations are found by what drives these. In random order, so that many with a merely slow workflow do not starve another.
 */
export function orphanedSends(
  database: Database,
  { before, limit }: { before: Date; limit: number },
): Promise<SendKey[]> {
  return rows<SendKey>(
    database,
    `select found.* from (
       select distinct d.tenant_id, d.campaign_id, d.dispatch_id, d.number,
         c.status
       from broadcast_task t join dispatch d using (dispatch_id) join campaign c on c.campaign_id = t.campaign_id
       where t.status in ('pending', 'submitting') and not ${isDriven('c')}
         and ${integrationActive('t')}
         and ((t.status = 'pending' and not ${awaitsChoice('t')} and coalesce(t.next_attempt_at, t.created_at) <= :before
             and c.status in ('sending', 'scheduled') and not c.cancel_requested)
           or (t.status = 'submitting' and t.submitting_since <= :before))
       union
       select d.tenant_id, d.campaign_id, d.dispatch_id, d.number, c.status
       from dispatch d join campaign c using (campaign_id)
       where d.frozen_at is null and d.freeze_at <= :before and ${integrationActive('d')}
         and c.status in ('sending', 'scheduled')) found
     order by random() limit :limit`,
    { before, limit },
  );
}

/**
 * Campaigns with a task that should have been polled, or cancelled at the platform, before `before`. Also in random
 * order.
 */
export function orphanedPolls(
  database: Database,
  { before, limit }: { before: Date; limit: number },
): Promise<CampaignKey[]> {
  return rows<CampaignKey>(
    database,
    `select found.tenant_id, found.campaign_id from (
       select tenant_id, campaign_id from broadcast_task where next_poll_at <= :before
       union
       select t.tenant_id, t.campaign_id from broadcast_task t join campaign c using (campaign_id)
       where t.status = 'scheduled' and t.task_id is not null and c.cancel_requested and c.updated_at <= :before) found
     where ${integrationActive('found')} and not exists (
       select from campaign a where a.campaign_id = found.campaign_id and ${isDriven('a')})
     order by random() limit :limit`,
    { before, limit },
  );
}

/** Partitions with events that have been due since before `before`. */
export async function orphanedPartitions(database: Database, { before }: { before: Date }): Promise<number[]> {
  const found = await rows<{ partition: number }>(
    database,
    `select distinct partition from event_inbox where status = 'stored' and next_attempt_at <= :before order by 1`,
    { before },
  );
  return found.map(({ partition }) => partition);
}
