import type { AttributedEntry, AttributedTotal } from '#domain/api/attribution.ts';
import { type Database, firstRow, rows, type Transaction } from '#db/database.ts';
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

/** Entries after a place of the feed, in their order; 0 is before all. */
export async function readEntries(
  database: Database,
  { after, through, limit }: { after: number; through: number | null; limit: number },
): Promise<AttributedEntry[]> {
  await transact(database, async (transaction) => {
    await locked(transaction);
    await transaction.raw(numberEntries);
  });
  const found = await rows<Omit<AttributedEntry, 'at'> & { at: Date }>(
    database,
    `select e.position, e.movement, e.order_id, e.kind, e.amount_minor, e.currency, e.at,
       o.tenant_id as platform_tenant_id, o.campaign_id, o.sub_task_key, o.message_index, o.action_index
     from attributed_entry e join order_origin o using (order_id)
     where e.position > :after and (cast(:through as bigint) is null or e.position <= :through)
     order by e.position limit :limit`,
    { after, through, limit },
  );
  return found.map((entry) => ({ ...entry, at: entry.at.toISOString() }));
}

/**
 * What completed orders from campaigns have brought in and not given back, from the ledger of cash itself and not from the
 * feed: the account `sales` of every order whose money came within its window. One statement sees both the ledger and the
 * last place of the feed, entries that it numbers itself included.
 */
const totals = `
  with numbered as (${numberEntries}),
  sold as (
    select o.tenant_id as platform_tenant_id, o.campaign_id, e.currency, -sum(e.amount_minor) as net_minor
    from order_origin o join cash_entry e using (order_id)
    where e.account = 'sales' and exists (
      select from cash_entry r where r.order_id = o.order_id and r.movement like 'receipt:%' and r.at <= o.counts_until)
    group by 1, 2, 3 having sum(e.amount_minor) <> 0)
  select greatest((select max(position) from attributed_entry), (select max(position) from numbered)) as position,
    coalesce((select json_agg(json_build_object('platformTenantId', platform_tenant_id, 'campaignId', campaign_id,
      'currency', currency, 'netMinor', net_minor)) from sold), '[]') as totals`;

/** As of one moment; `position` is the last entry that they contain, 0 without one. */
export function readTotals(database: Database): Promise<{ position: number; totals: AttributedTotal[] }> {
  return transact(database, async (transaction) => {
    await locked(transaction);
    const row = await firstRow<{ position: number | null; totals: AttributedTotal[] }>(transaction, totals, {});
    return { position: row?.position ?? 0, totals: row?.totals ?? [] };
  });
}
