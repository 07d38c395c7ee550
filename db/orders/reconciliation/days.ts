import { z } from 'zod';
import type { Page } from '#domain/api/primitives.ts';
import { decodeCursor, pageOf, type PageRequest } from '#domain/cursor.ts';
import { reconciliationQuerySchema, type ReconciliationStatus } from '#domain/orders/administration/reconciliation.ts';
import { type Database, firstRow, rows, type Transaction } from '#db/database.ts';
import { type Author, recordAudit } from '../audit.ts';
import { transact } from '../transaction.ts';
import type { ShopDay } from './known-charges.ts';

/** One day (UTC, `YYYY-MM-DD`) of one tenant. */
export interface TenantDay {
  tenantId: string;
  date: string;
}

export interface ReconciliationDay {
  date: string;
  status: ReconciliationStatus;
  finishedAt: Date | null;
  /** Paid charges of the gateway that were compared. */
  charges: number;
  differences: number;
  mended: number;
}

async function markRunning(transaction: Transaction, day: TenantDay): Promise<void> {
  await transaction.raw(
    `insert into reconciliation_day (tenant_id, date, status) values (:tenantId, :date, 'running')
     on conflict (tenant_id, date) do update
       set (status, charges, started_at, finished_at, failure) = ('running', 0, now(), null, null)`,
    { ...day },
  );
}

/** The tenant's payment gateway shop; null without one. */
async function shopOf(database: Database, tenantId: string): Promise<string | null> {
  const tenant = await firstRow<{ shopId: string | null }>(
    database,
    'select shop_id from tenant where tenant_id = :tenantId',
    { tenantId },
  );
  return tenant?.shopId ?? null;
}

/** Marks the day as running for staff who ask for it. @returns false for a tenant without a shop. */
export async function askForReconciliation(
  database: Database,
  { author, ...day }: TenantDay & { author: Author },
): Promise<boolean> {
  return transact(database, async (transaction) => {
    if ((await shopOf(transaction, day.tenantId)) === null) return false;
    await markRunning(transaction, day);
    await recordAudit(transaction, {
      tenantId: day.tenantId,
      author,
      action: 'reconciliation.run',
      subject: { type: 'reconciliation', id: day.date },
      before: null,
      after: { date: day.date },
    });
    return true;
  });
}

/**
 * Marks every day before a date that the tenant lacks as running, for staff who ask for them; the last of them also where
 * there is nothing yet that tells when to begin, as the daily run compares it.
 * @returns the days, the oldest first; null for a tenant without a shop.
 */
export async function askForMissingDays(
  database: Database,
  { author, tenantId, before }: { author: Author; tenantId: string; before: string },
): Promise<string[] | null> {
  return transact(database, async (transaction) => {
    if ((await shopOf(transaction, tenantId)) === null) return null;
    const missed = (await missingDays(transaction, { tenantIds: [tenantId], before })).map(({ date }) => date);
    const yesterday = dayBefore(before);
    const isNew =
      missed.length === 0 && (await findReconciliationDay(transaction, { tenantId, date: yesterday })) === null;
    const dates = isNew ? [yesterday] : missed;
    for (const date of dates) await markRunning(transaction, { tenantId, date });
    if (dates.length > 0)
      await recordAudit(transaction, {
        tenantId,
        author,
        action: 'reconciliation.run',
        subject: { type: 'reconciliation', id: 'missing' },
        before: null,
        after: { dates },
      });
    return dates;
  });
}

/** Begins a run, in which nothing is compared yet; earlier items stay until it ends. @returns null without a shop. */
export async function beginReconciliation(database: Database, day: TenantDay): Promise<ShopDay | null> {
  return transact(database, async (transaction) => {
    const shopId = await shopOf(transaction, day.tenantId);
    if (shopId === null) return null;
    await markRunning(transaction, day);
    await forgetCharges(transaction, day);
    return { ...day, shopId };
  });
}

async function forgetCharges(transaction: Transaction, day: TenantDay): Promise<void> {
  await transaction.raw('delete from reconciliation_charge where tenant_id = :tenantId and date = :date', { ...day });
}

/** Ends a run: its items replace those of earlier runs. */
export async function finishReconciliation(
  database: Database,
  { charges, ...day }: TenantDay & { charges: number },
): Promise<{ differences: number; mended: number }> {
  return transact(database, async (transaction) => {
    await transaction.raw(
      `delete from reconciliation_item i using reconciliation_day d
       where d.tenant_id = :tenantId and d.date = :date and (i.tenant_id, i.date) = (d.tenant_id, d.date)
         and i.compared_at < d.started_at`,
      { ...day },
    );
    await forgetCharges(transaction, day);
    await transaction.raw(
      `update reconciliation_day set status = 'done', charges = :charges, finished_at = now(), compared_at = now()
       where tenant_id = :tenantId and date = :date`,
      { ...day, charges },
    );
    const found = await findReconciliationDay(transaction, day);
    return { differences: found?.differences ?? 0, mended: found?.mended ?? 0 };
  });
}

/** Ends an incomplete run. Its findings stay. */
export async function failReconciliation(
  database: Database,
  { reason, ...day }: TenantDay & { reason: string },
): Promise<void> {
  await database.raw(
    `update reconciliation_day set status = 'failed', failure = :reason, finished_at = now()
     where tenant_id = :tenantId and date = :date and status = 'running'`,
    { ...day, reason },
  );
}

/** SQL: whether the money of item `i` has found its order by now, or has been given back, or its refund has been booked. */
export const mended = `(case when i.kind in ('paid_there_only', 'unknown_order') then
    exists (select from payment_attempt a where a.charge_id = i.charge_id and a.hold_status = 'committed')
    or exists (select from refund r where r.charge_id = i.charge_id and r.kind = 'unaccepted' and r.status = 'confirmed')
  when i.kind = 'refunded_there_only' then
    exists (select from refund r where r.charge_id = i.charge_id and r.status = 'confirmed'
      and (r.gateway_refund_id = i.refund_id or r.kind = 'unaccepted'))
  else false end)`;

const daySelect = `select d.date, d.status, d.finished_at, d.charges,
    count(i.charge_id)::int as differences, (count(*) filter (where ${mended}))::int as mended
  from reconciliation_day d left join reconciliation_item i using (tenant_id, date)
  where d.tenant_id = :tenantId`;

/** Null if the day has not been compared. */
export async function findReconciliationDay(database: Database, day: TenantDay): Promise<ReconciliationDay | null> {
  return firstRow(database, `${daySelect} and d.date = :date group by d.tenant_id, d.date`, { ...day });
}

const position = z.tuple([reconciliationQuerySchema.shape.date]);

/** The days that were compared, newest first. @throws Problem for a foreign cursor */
export async function listReconciliationDays(
  database: Database,
  tenantId: string,
  { cursor, limit }: PageRequest,
): Promise<Page<ReconciliationDay>> {
  const [before = null] = decodeCursor(position, cursor) ?? [];
  const found = await rows<ReconciliationDay>(
    database,
    `${daySelect} ${before === null ? '' : 'and d.date < :before'}
     group by d.tenant_id, d.date order by d.date desc limit :limit`,
    { tenantId, before, limit: limit + 1 },
  );
  return pageOf(found, limit, ({ date }) => [date]);
}

/** Tenants that have a shop, in order, those after `after` only. */
export async function tenantsWithShop(
  database: Database,
  { after, limit }: { after: string | null; limit: number },
): Promise<string[]> {
  const found = await rows<{ tenantId: string }>(
    database,
    `select tenant_id from tenant where shop_id is not null ${after === null ? '' : 'and tenant_id > :after'}
     order by tenant_id limit :limit`,
    { after, limit },
  );
  return found.map(({ tenantId }) => tenantId);
}

/** `YYYY-MM-DD`, like its argument. */
function dayBefore(date: string): string {
  return new Date(Date.parse(date) - 24 * 60 * 60_000).toISOString().slice(0, 10);
}

/** No day further back is compared again, or missed. */
const MISSED_DAYS = 92;

/** SQL: whether the day `d` was compared completely, and was over by then. As in the index. */
const complete = `d.status = 'done' and d.started_at >= (d.date + 1)::timestamp at time zone 'UTC'`;

/**
 * SQL: the days `day` before `before` that tenants `t` with a shop lack, from the first that was compared, or had a charge, on.
 * Counting by index what is complete leaves the days themselves to the few tenants that lack any.
 */
const missing = (before: string, which = 'true') => `(
  select s.* from (
    select t.tenant_id, greatest(${before} - ${MISSED_DAYS}, coalesce(
      (select min(d.date) from reconciliation_day d where d.tenant_id = t.tenant_id),
      (select (o.created_at at time zone 'UTC')::date
       from customer_order o join payment_attempt a using (order_id)
       where o.tenant_id = t.tenant_id and a.charge_id is not null order by o.created_at limit 1),
      ${before})) as first
    from tenant t where t.shop_id is not null and ${which} offset 0) s
  where ${before} - s.first > (
    select count(*) from reconciliation_day d
    where d.tenant_id = s.tenant_id and d.date >= s.first and d.date < ${before} and ${complete}) offset 0) t
  cross join lateral generate_series(t.first, ${before} - 1, interval '1 day') day (at)
  where not exists (
    select from reconciliation_day d
    where d.tenant_id = t.tenant_id and d.date = day.at::date and ${complete} offset 0)`;

/** The days before a date that these tenants still have to be compared on, the oldest first. */
export async function missingDays(
  database: Database,
  { tenantIds, before }: { tenantIds: readonly string[]; before: string },
): Promise<TenantDay[]> {
  return rows(
    database,
    `select t.tenant_id, to_char(day.at, 'YYYY-MM-DD') as date from ${missing('cast(:before as date)', 't.tenant_id = any(:tenantIds)')}
     order by day.at, t.tenant_id`,
    { tenantIds, before },
  );
}

/** How long ago the oldest day is that some tenant lacks, in days of UTC; 0 if none does. Yesterday counts from 00:30 on. */
export async function oldestMissingDays(database: Database): Promise<number> {
  const today = `(now() at time zone 'UTC')::date`;
  const row = await firstRow<{ days: number }>(
    database,
    `select coalesce(max(${today} - day.at::date), 0)::int as days
     from ${missing(`(now() at time zone 'UTC' - interval '30 minutes')::date`)}`,
    {},
  );
  return row?.days ?? 0;
}
