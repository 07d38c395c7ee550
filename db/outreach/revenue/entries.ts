import type { AttributedEntry } from '#domain/api/attribution.ts';
import { type Database, firstRow, rows, type Transaction } from '#db/database.ts';
import type { Encryption } from '#db/encryption.ts';
import { enterByOrders } from '../automations/looking.ts';
import { fromBeforeErasure } from '../erasure/erasures.ts';

/** Up to where the feed was read; 0 before its first entry. */
export async function readPosition(database: Database): Promise<number> {
  const row = await firstRow<{ position: number }>(database, 'select position from revenue_position', {});
  return row?.position ?? 0;
}

/**
 * One statement: entries that are new, their sums, and the place that was read. Entries of campaigns that are not here (any
 * more) are left out, as are those that are known, whatever their position.
 */
const storeEntries = `
  with moved as (
    update revenue_position set position = :position where position = :after returning position),
  told as (
    select e.* from json_to_recordset(:entries) as e ("platformTenantId" text, movement text, "campaignId" text,
      "orderId" text, kind text, "amountMinor" bigint, currency text, at timestamptz, "subTaskKey" text,
      "messageIndex" smallint, "actionIndex" smallint)
    where exists (select from campaign c where c.tenant_id = e."platformTenantId" and c.campaign_id = e."campaignId")
      and exists (select from moved)),
  added as (
    insert into revenue_entry (tenant_id, movement, campaign_id, order_id, kind, amount_minor, currency, at,
      sub_task_key, message_index, action_index)
    select "platformTenantId", movement, "campaignId", "orderId", kind, "amountMinor", currency, at,
      "subTaskKey", "messageIndex", "actionIndex" from told
    on conflict (tenant_id, movement) do nothing
    returning *),
  summed as (
    insert into campaign_revenue as r
      (tenant_id, campaign_id, message_index, action_index, currency, orders, paid_minor, refunded_minor)
    select tenant_id, campaign_id, message_index, action_index, currency, count(*) filter (where kind = 'payment'),
      coalesce(sum(amount_minor) filter (where kind = 'payment'), 0),
      coalesce(-sum(amount_minor) filter (where kind = 'refund'), 0)
    from added group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
    on conflict (tenant_id, campaign_id, message_index, action_index, currency) do update
      set orders = r.orders + excluded.orders, paid_minor = r.paid_minor + excluded.paid_minor,
        refunded_minor = r.refunded_minor + excluded.refunded_minor)
  select (select count(*) from added)::int as added, exists (select from moved) as moved`;

/**
 * What is known of an order goes to whom its entries are of: that is the pseudonym once the contact was erased, and an
 * erasure that is under way waits for the lock. Tenants that are not here (any more) are left out.
 */
const storeOfContacts = `
  insert into contact_revenue_entry (tenant_id, movement, service_number_id, contact_id, order_id, kind, amount_minor, currency, at)
  select e."platformTenantId", e.movement, e."serviceNumberId",
    coalesce(k.contact_id, case when not e.erased then e."contactId" end), e."orderId", e.kind, e."amountMinor", e.currency, e.at
  from json_to_recordset(:entries) as e ("platformTenantId" text, movement text, "serviceNumberId" text, "contactId" text,
    "orderId" text, kind text, "amountMinor" bigint, currency text, at timestamptz, erased boolean)
  left join lateral (
    select contact_id from contact_revenue_entry k
    where k.tenant_id = e."platformTenantId" and k.order_id = e."orderId" limit 1 for share) k on true
  where exists (select from tenant t where t.tenant_id = e."platformTenantId")
    and (k.contact_id is not null or not e.erased)
  on conflict (tenant_id, movement) do nothing`;

/** Stores what orders of named contacts brought in, unless the contact was erased since the order was created. */
async function addOfContacts(
  transaction: Transaction,
  encryption: Encryption,
  entries: readonly AttributedEntry[],
): Promise<void> {
  const named = entries.flatMap(({ contact, platformTenantId: tenantId, ...entry }) =>
    contact === null
      ? []
      : [
          {
            entry: { ...entry, ...contact, platformTenantId: tenantId },
            tenantId,
            occurredAt: new Date(contact.orderedAt),
            contactIdOf: () => contact.contactId,
          },
        ],
  );
  if (named.length === 0) return;
  const gone = await fromBeforeErasure(transaction, encryption, named);
  const told = named.map((one) => ({ ...one.entry, erased: gone.has(one) }));
  await rows(transaction, storeOfContacts, { entries: JSON.stringify(told) });
}

/**
 * Stores what the order service told after a position, and how far that goes.
 * @returns false, and stores nothing, if another process has read on meanwhile.
 */
export async function addEntries(
  database: Database,
  encryption: Encryption,
  after: number,
  entries: readonly AttributedEntry[],
): Promise<boolean> {
  const position = entries.at(-1)?.position ?? after;
  return database.transaction(async (transaction) => {
    const row = await firstRow<{ moved: boolean }>(transaction, storeEntries, {
      entries: JSON.stringify(entries),
      after,
      position,
    });
    if (row?.moved !== true) return false;
    await addOfContacts(transaction, encryption, entries);
    await enterByOrders(
      transaction,
      entries.map(({ movement }) => movement),
    );
    return true;
  });
}
