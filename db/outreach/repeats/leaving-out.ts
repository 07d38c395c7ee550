import { firstRow, type Transaction } from '#db/database.ts';

/** Part of an audience, by id, that is being frozen for a campaign. */
export interface FrozenPart {
  campaignId: string;
  after: string | null;
  /** Null: up to the last. */
  through: string | null;
}

// Whom any other run of the repeat is for, unless certainly nothing was sent to them. Lists are read as far as they overlap
// with the page.
const leaveOut = `
  with mine as (
    select u.repeat_id, u.local_time from repeat_run u join campaign_repeat r using (repeat_id)
    where u.campaign_id = :campaignId and r.skip_reached
  ), sent as materialized (
    select t.dispatch_id, t.chunk from mine join repeat_run o using (repeat_id)
      join broadcast_task t on t.campaign_id = o.campaign_id
    where o.campaign_id <> :campaignId and t.superseded_by is null
      and t.status not in ('rejected', 'cancelled') and not (t.status = 'failed' and t.sent = 0 and not t.reached)
  ), reached as materialized (
    select distinct c.contact_id from sent cross join lateral (
      select l.contact_ids from dispatch_chunk l where l.dispatch_id = sent.dispatch_id and l.chunk = sent.chunk
        and l.last_id > :after and (:through::text is null or l.first_id <= :through)) lists
      cross join lateral unnest(lists.contact_ids) as c (contact_id)
  ), left_out as (
    update resolved set class = 'left_out' from reached
    where resolved.contact_id = reached.contact_id and resolved.class = 'reachable' returning 1
  ), counted as (select count(*)::int as contacts from left_out), noted as (
    update repeat_run u set left_out = u.left_out + counted.contacts from mine, counted
    where u.repeat_id = mine.repeat_id and u.local_time = mine.local_time)
  select contacts from counted`;

/**
 * Takes out of the table `resolved` those whom another run of the campaign's repeat reached, or may have.
 * @returns how many they are; 0 unless a repeat made the campaign and leaves them out.
 */
export async function leaveOutReached(
  transaction: Transaction,
  { campaignId, after, through }: FrozenPart,
): Promise<number> {
  const found = await firstRow<{ contacts: number }>(transaction, leaveOut, {
    campaignId,
    after: after ?? '',
    through,
  });
  return found?.contacts ?? 0;
}
