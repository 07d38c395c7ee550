import { type Database, firstRow, rows } from '#db/database.ts';
import { hasContact } from '../sends/chunks.ts';
import type { Erasure } from './erasures.ts';

/** Clicks per statement: one holds its rows, and the hours of their campaigns in `click_hour`, for a fraction of a second. */
const CLICKS_AT_ONCE = 5000;

/**
 * The contact's clicks and conversations stay, under the pseudonym: one person in all figures, as before. At most 5,000
 * clicks per statement, from the oldest on; it locks them and the sums of their hours.
 */
export async function renameInClicks(database: Database, { tenantId, contactId, pseudonym }: Erasure): Promise<void> {
  const bindings = { tenantId, contactId, pseudonym, limit: CLICKS_AT_ONCE };
  const boundary = `select clicked_at::text as last from click_attribution
    where tenant_id = :tenantId and contact_id = :contactId order by clicked_at offset :limit::int - 1 limit 1`;
  for (;;) {
    const page = await firstRow<{ last: string }>(database, boundary, bindings);
    await rows(
      database,
      `update click_attribution set contact_id = :pseudonym where tenant_id = :tenantId and contact_id = :contactId
         ${page ? 'and clicked_at <= :last::timestamptz' : ''}`,
      { ...bindings, ...page },
    );
    if (!page) break;
  }
  await rows(
    database,
    'update conversation set contact_id = :pseudonym where tenant_id = :tenantId and contact_id = :contactId',
    { tenantId, contactId, pseudonym },
  );
}

/**
 * What orders of the contact brought in stays, under the pseudonym, and so will what is told of these orders later. An entry
 * that was being stored beside an earlier one of its order is missed, so the statement repeats.
 */
export async function renameInRevenue(database: Database, { tenantId, contactId, pseudonym }: Erasure): Promise<void> {
  const rename = `update contact_revenue_entry set contact_id = :pseudonym
    where tenant_id = :tenantId and contact_id = :contactId returning 1`;
  while ((await rows(database, rename, { tenantId, contactId, pseudonym })).length > 0);
}

/** SQL: each send `d` that holds the contact back, with the list `r`. */
export const heldBackContact = `dispatch d cross join lateral (
  select c.dispatch_id, :contactId::text as contact_id, c.part from dispatch_control c
  where c.dispatch_id = d.dispatch_id and ${hasContact('c', ':contactId')}) r`;

const renameInControl = `
  update dispatch_control c set contact_ids = array(
    select id from unnest(array_replace(c.contact_ids, :contactId, :pseudonym)) as id order by id)
  from dispatch d
  where d.tenant_id = :tenantId and c.dispatch_id = d.dispatch_id and ${hasContact('c', ':contactId')}`;

/** SQL: each send `d` with the row `r` of the contact in its snapshot. */
export const snapshotsOfContact = `dispatch d cross join lateral (
  select c.dispatch_id, :contactId::text as contact_id, c.chunk from dispatch_chunk c
  where c.dispatch_id = d.dispatch_id and ${hasContact('c', ':contactId')}) r`;

// What the platform said about a sub-task may name the contacts that it rejected.
const renameInErrors = `
  update broadcast_task t set error_message = replace(t.error_message, :contactId, :pseudonym)
  from dispatch d where d.tenant_id = :tenantId and t.dispatch_id = d.dispatch_id
    and exists (select 1 from dispatch_chunk c where c.dispatch_id = d.dispatch_id and ${hasContact('c', ':pseudonym')})
    and position(:contactId in t.error_message) > 0`;

const isInSnapshots = `select 1 from ${snapshotsOfContact} where d.tenant_id = :tenantId limit 1`;

const renameInSnapshotsSql = `
  update dispatch_chunk c set contact_ids = array(
    select id from unnest(array_replace(c.contact_ids, :contactId, :pseudonym)) as id order by id)
  from dispatch d
  where d.tenant_id = :tenantId and c.dispatch_id = d.dispatch_id and ${hasContact('c', ':contactId')}`;

/** A contact that moves to another sub-task in the meantime is missed, so the scan repeats. */
async function renameInSnapshots(database: Database, bindings: Record<string, unknown>): Promise<void> {
  while (await firstRow(database, isInSnapshots, bindings)) await rows(database, renameInSnapshotsSql, bindings);
}

const renameInDrift = `
  update audience_drift a set contact_id = :pseudonym from dispatch d
  where d.tenant_id = :tenantId and a.dispatch_id = d.dispatch_id and a.change in ('added', 'removed')
    and a.contact_id = :contactId`;

/** SQL condition on a part `p` of a dry run `d`: it has the contact. */
export const partHasContact = `d.tenant_id = :tenantId and p.dry_run_id = d.dry_run_id
  and p.first_id <= :contactId and p.last_id >= :contactId and :contactId = any(p.contact_ids)`;

const renameInDryRuns = `
  update dry_run_part p set (contact_ids, first_id, last_id) = (
    select array_agg(id order by position), min(id), max(id)
    from unnest(array_replace(p.contact_ids, :contactId, :pseudonym)) with ordinality as of_part (id, position))
  from dry_run d where ${partHasContact}`;

// A send that is still being prepared goes on after the contact before: whoever is between them does not exist.
const movePosition = `
  update dispatch d set frozen_through = case when d.frozen_at is null then greatest(
      (select max(p.contact_id) from contact_profile p where p.tenant_id = d.tenant_id
        and p.service_number_id = c.service_number_id and p.contact_id < :contactId),
      (select max(m.contact_id) from audience_member m where m.audience_id = d.source ->> 'audienceId'
        and m.contact_id < :contactId),
      (select max(r.contact_id) from dispatch_chunk s cross join lateral unnest(s.contact_ids) as r (contact_id)
        where s.dispatch_id = d.dispatch_id and s.first_id < :contactId and r.contact_id < :contactId
          and s.last_id >= (select max(first_id) from dispatch_chunk
            where dispatch_id = d.dispatch_id and first_id < :contactId)),
      (select max(r.contact_id) from dispatch_control s cross join lateral unnest(s.contact_ids) as r (contact_id)
        where s.dispatch_id = d.dispatch_id and s.first_id < :contactId and r.contact_id < :contactId
          and s.last_id >= (select max(first_id) from dispatch_control
            where dispatch_id = d.dispatch_id and first_id < :contactId))) end
  from campaign c where d.tenant_id = :tenantId and c.campaign_id = d.campaign_id and d.frozen_through = :contactId`;

/**
 * The frozen audiences keep their sizes, with the pseudonym in place of the contact; nothing that has not been submitted
 * yet will be sent to it (`claimSubTask`). Locks the lists that it is in.
 */
export async function renameInSends(database: Database, { tenantId, contactId, pseudonym }: Erasure): Promise<void> {
  const bindings = { tenantId, contactId, pseudonym };
  await renameInSnapshots(database, bindings);
  for (const sql of [renameInControl, renameInErrors, renameInDrift, renameInDryRuns, movePosition])
    await rows(database, sql, bindings);
}
