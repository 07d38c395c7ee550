import type { AttributedCampaign, AttributedEntry, AttributedTotals } from '#domain/api/attribution.ts';
import { type Database, firstRow, rows, type Transaction } from '#db/database.ts';
import { lastWritten } from '../books/written.ts';
import { lockName, transact } from '../transaction.ts';

/**
 * Gives entries that were committed since the last look their places. Whoever does so waits for the one before, and
 * commits before anybody reads: no entry ever appears behind one that was read.
 */
const numberEntries = `
  update attributed_entry e set position = n.position
  from (select movement, nextval('attributed_position') as position
        from (select movement from attributed_entry where position is null order by at, movement) waiting) n
  where e.movement = n.movement
  returning e.position`;

const locked = (transaction: Transaction) => lockName(transaction, ['attributed_entry']);

interface EntryRow extends Omit<AttributedEntry, 'at' | 'contact'> {
  at: Date;
  serviceNumberId: string | null;
  contactId: string | null;
  orderedAt: Date;
}

/** Entries after a place of the feed, in their order; 0 is before all. */
export async function readEntries(
  database: Database,
  { after, through, limit }: { after: number; through: number | null; limit: number },
): Promise<AttributedEntry[]> {
  await transact(database, async (transaction) => {
    await locked(transaction);
    await transaction.raw(numberEntries);
  });
  const found = await rows<EntryRow>(
    database,
    `select e.position, e.movement, e.order_id, e.kind, e.amount_minor, e.currency, e.at,
       c.tenant_id as platform_tenant_id, o.campaign_id, o.sub_task_key, o.message_index, o.action_index,
       c.contact_service_number_id as service_number_id, c.contact_id, c.created_at as ordered_at
     from attributed_entry e join customer_order c using (order_id)
       left join order_origin o on o.order_id = e.order_id and e.counts
     where e.position > :after and (cast(:through as bigint) is null or e.position <= :through)
     order by e.position limit :limit`,
    { after, through, limit },
  );
  return found.map(({ at, serviceNumberId, contactId, orderedAt, ...entry }) => ({
    ...entry,
    at: at.toISOString(),
    contact:
      serviceNumberId === null || contactId === null
        ? null
        : { serviceNumberId, contactId, orderedAt: orderedAt.toISOString() },
  }));
}

/** Which campaigns are summed. */
export interface TotalsRequest {
  /** Those about which cash was booked after this entry; null for all. */
  since: number | null;
  /** Up to this entry; null for the last one that is there now. */
  through: number | null;
  /** The last campaign of the page before. */
  after: AttributedCampaign | null;
  /** How many orders a page has, unless one campaign has more; null for all. */
  limit: number | null;
}

/** Campaigns whose orders fit in a page: of several, the last one may be cut, and is left to the next page. */
const chosen = `candidate as materialized (
    select o.tenant_id, o.campaign_id from order_origin o
    where (cast(:afterCampaign as text) is null or (o.tenant_id, o.campaign_id) > (:afterTenant, :afterCampaign))
      and (cast(:since as bigint) is null or (o.tenant_id, o.campaign_id) in (
        select c.tenant_id, c.campaign_id from cash_entry e join order_origin c using (order_id)
        where e.entry_id > :since and e.entry_id <= :through))
    order by o.tenant_id, o.campaign_id limit cast(:limit as bigint) + 1),
  cut as (
    select tenant_id, campaign_id from candidate where (select count(*) from candidate) > :limit
    order by tenant_id desc, campaign_id desc limit 1),
  chosen as materialized (
    select distinct tenant_id, campaign_id from candidate c
    where not exists (select from cut where (cut.tenant_id, cut.campaign_id) = (c.tenant_id, c.campaign_id))
      or (c.tenant_id, c.campaign_id) = (select tenant_id, campaign_id from candidate
        order by tenant_id, campaign_id limit 1))`;

/**
 * What completed orders from campaigns have brought in and not given back, from the ledger of cash itself and not from the
 * feed: the account `sales` of every order whose money came within its window. One statement sees both the ledger and the
 * last place of the feed, entries that it numbers itself included.
 */
const totals = `
  with numbered as (${numberEntries}), ${chosen},
  sold as (
    select o.tenant_id as platform_tenant_id, o.campaign_id, e.currency, -sum(e.amount_minor) as net_minor
    from chosen join order_origin o using (tenant_id, campaign_id) join cash_entry e using (order_id)
    where e.account = 'sales' and exists (
      select from cash_entry r where r.order_id = o.order_id and r.movement like 'receipt:%' and r.at <= o.counts_until)
    group by 1, 2, 3 having sum(e.amount_minor) <> 0)
  select greatest((select max(position) from attributed_entry), (select max(position) from numbered)) as position,
    coalesce((select json_agg(json_build_object('platformTenantId', platform_tenant_id, 'campaignId', campaign_id,
      'currency', currency, 'netMinor', net_minor)) from sold), '[]') as totals,
    coalesce((select json_agg(json_build_object('platformTenantId', tenant_id, 'campaignId', campaign_id)
      order by tenant_id, campaign_id) from chosen), '[]') as campaigns,
    exists (select from cut) as more`;

/** Of one page of campaigns, as of one moment. */
export async function readTotals(
  database: Database,
  { since, through: given, after, limit }: TotalsRequest,
): Promise<AttributedTotals> {
  const through = given ?? (await lastWritten(database)).cashEntry;
  const row = await transact(database, async (transaction) => {
    await locked(transaction);
    return firstRow<Pick<AttributedTotals, 'totals' | 'campaigns'> & { position: number | null; more: boolean }>(
      transaction,
      totals,
      {
        since,
        through,
        afterTenant: after?.platformTenantId ?? null,
        afterCampaign: after?.campaignId ?? null,
        limit,
      },
    );
  });
  const campaigns = row?.campaigns ?? [];
  const next = row?.more ? (campaigns.at(-1) ?? null) : null;
  return { position: row?.position ?? 0, totals: row?.totals ?? [], campaigns, through, next };
}
