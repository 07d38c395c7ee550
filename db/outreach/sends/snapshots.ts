import { z } from 'zod';
import type { Dispatch, Recipient } from '#domain/api/campaign-snapshots.ts';
import type { Page } from '#domain/api/primitives.ts';
import { decodeCursor, keyText, pageOf } from '#domain/cursor.ts';
import { type Database, rows } from '#db/database.ts';
import { hasContact } from './chunks.ts';

type CampaignKey = { tenantId: string; campaignId: string };
export type DispatchRecord = Omit<Dispatch, 'scheduledAt' | 'createdAt'> & {
  scheduledAt: Date | null;
  createdAt: Date;
};

/** The sends of a campaign, in order, starting with the first. */
export async function listDispatches(
  database: Database,
  key: CampaignKey,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<DispatchRecord>> {
  const after = decodeCursor(z.tuple([z.int().min(0).max(2_000_000_000)]), cursor);
  const found = await rows<DispatchRecord>(
    database,
    `select d.dispatch_id, d.number, d.retry_of, d.scheduled_at, d.audience_count, d.control_count,
       case when d.frozen_at is not null then d.audience_hash end as audience_hash,
       '{"controlGroup": 0}'::jsonb || d.excluded as excluded,
       (select count(*) from broadcast_task t where t.dispatch_id = d.dispatch_id) as sub_tasks,
       d.created_by, d.created_at
     from dispatch d where d.tenant_id = :tenantId and d.campaign_id = :campaignId and d.number > :after
     order by d.number limit :rows`,
    { ...key, after: after?.[0] ?? 0, rows: limit + 1 },
  );
  return pageOf(found, limit, ({ number }) => [number]);
}

export type RecipientSend = Omit<Recipient['sends'][number], 'sentAt'> & { sentAt: Date };

/** The sends that have this contact in their frozen audience; none for a contact that was never in one. */
export function findRecipientSends(database: Database, key: CampaignKey, contactId: string): Promise<RecipientSend[]> {
  return rows<RecipientSend>(
    database,
    `select d.number, d.created_at as sent_at, t.key as sub_task_key, t.task_id, t.status
     from dispatch d
     join dispatch_chunk r on r.dispatch_id = d.dispatch_id and ${hasContact('r', ':contactId')}
     join broadcast_task t on t.dispatch_id = d.dispatch_id and t.chunk = r.chunk
     where d.tenant_id = :tenantId and d.campaign_id = :campaignId order by d.number`,
    { ...key, contactId },
  );
}

/** The contacts frozen for one sub-task, by id, page by page. */
export async function listSubTaskContacts(
  database: Database,
  { tenantId, campaignId, key }: CampaignKey & { key: string },
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<{ contactId: string; displayName: string | null }>> {
  const after = decodeCursor(z.tuple([keyText]), cursor)?.[0];
  const found = await rows<{ contactId: string; displayName: string | null }>(
    database,
    `select r.contact_id, p.display_name
     from broadcast_task t join campaign c using (tenant_id, campaign_id)
     join dispatch_recipient r on r.dispatch_id = t.dispatch_id and r.chunk = t.chunk
     left join contact_profile p on p.tenant_id = t.tenant_id and p.service_number_id = c.service_number_id
       and p.contact_id = r.contact_id
     where t.tenant_id = :tenantId and t.campaign_id = :campaignId and t.key = :key
       ${after === undefined ? '' : 'and r.contact_id > :after'}
     order by r.contact_id limit :rows`,
    { tenantId, campaignId, key, after, rows: limit + 1 },
  );
  return pageOf(found, limit, ({ contactId }) => [contactId]);
}

export interface RecipientRecord {
  contactId: string;
  /** Null while the contact is in no sub-task yet. */
  subTaskKey: string | null;
  status: Recipient['sends'][number]['status'] | null;
  /** Of the contact's first click in the campaign. */
  clickedAt: Date | null;
}

/**
 * SQL: up to which id the lists of the send `d` that begin after `:after` have as many contacts as a page; null if all of
 * them have fewer. Whoever comes before that id is in a list that begins before it, too.
 */
const enoughLists = `
  select min(last_id) as last_id from (
    select last_id, sum(contact_count) over (order by last_id) as contacts
    from dispatch_chunk where dispatch_id = d.dispatch_id and last_id > :after and first_id > :after
    order by last_id limit :rows) lists
  where contacts >= :rows`;

/**
 * Everybody in the frozen audiences of a campaign, once, by id, with the newest of their sub-tasks. Each send has its
 * contacts in that order, so a page reads no more than its size from each.
 */
export async function listRecipients(
  database: Database,
  key: CampaignKey,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<RecipientRecord>> {
  const after = decodeCursor(z.tuple([keyText]), cursor)?.[0];
  const found = await rows<RecipientRecord>(
    database,
    `select r.contact_id, t.key as sub_task_key, t.status,
       (select min(k.clicked_at) from click_attribution k where k.tenant_id = :tenantId and k.contact_id = r.contact_id
          and k.campaign_id = :campaignId) as clicked_at
     from (select distinct on (s.contact_id) s.contact_id, s.chunk, d.dispatch_id
       from dispatch d cross join lateral (${enoughLists}) enough cross join lateral (
         select r.contact_id, c.chunk from dispatch_chunk c cross join lateral unnest(c.contact_ids) as r (contact_id)
         where c.dispatch_id = d.dispatch_id and c.last_id > :after
           and (enough.last_id is null or c.first_id <= enough.last_id) and r.contact_id > :after
         order by r.contact_id limit :rows) s
       where d.tenant_id = :tenantId and d.campaign_id = :campaignId
       order by s.contact_id, d.number desc limit :rows) r
     left join broadcast_task t on t.dispatch_id = r.dispatch_id and t.chunk = r.chunk
     order by r.contact_id`,
    { ...key, after: after ?? '', rows: limit + 1 },
  );
  return pageOf(found, limit, ({ contactId }) => [contactId]);
}
