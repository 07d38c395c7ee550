import type { ChargeDifference } from '#domain/orders/charge-comparison.ts';
import type { DifferenceKind } from '#domain/orders/administration/reconciliation.ts';
import { type Database, firstRow, rows } from '#db/database.ts';
import { mended, oldestMissingDays, type TenantDay } from './days.ts';

export interface FoundDifference extends ChargeDifference {
  chargeId: string;
  /** The gateway's id of a refund that only it has; null where the charge itself differs. */
  refundId: string | null;
  /** Null if the order is unknown or another tenant's. */
  orderId: string | null;
}

/** Notes paid charges that the gateway has listed, and what differs. Comparing a charge or refund again replaces its item. */
export async function recordComparison(
  database: Database,
  day: TenantDay,
  { listed, differences }: { listed: readonly string[]; differences: readonly FoundDifference[] },
): Promise<void> {
  await database.raw(
    `with listed as (
       insert into reconciliation_charge (tenant_id, date, charge_id)
       select :tenantId, :date, charge_id from unnest(:listed::text[]) as l (charge_id) on conflict do nothing
     )
     insert into reconciliation_item (tenant_id, date, charge_id, refund_id, kind, order_id, ours_minor, theirs_minor,
       compared_at)
     select :tenantId, :date, d.*, now() from unnest(:chargeIds::text[], :refundIds::text[], :kinds::text[],
       :orderIds::text[], :oursMinor::bigint[], :theirsMinor::bigint[]) as d
     on conflict (tenant_id, date, charge_id, refund_id) do update
       set (kind, order_id, ours_minor, theirs_minor, compared_at) = (excluded.kind, excluded.order_id,
         excluded.ours_minor, excluded.theirs_minor, excluded.compared_at)`,
    {
      ...day,
      listed: [...listed],
      chargeIds: differences.map(({ chargeId }) => chargeId),
      refundIds: differences.map(({ refundId }) => refundId ?? ''),
      kinds: differences.map(({ kind }) => kind),
      orderIds: differences.map(({ orderId }) => orderId),
      oursMinor: differences.map(({ oursMinor }) => oursMinor),
      theirsMinor: differences.map(({ theirsMinor }) => theirsMinor),
    },
  );
}

export interface ReconciliationItem extends FoundDifference {
  kind: DifferenceKind;
  mended: boolean;
}

/** The differences of a day by charge, and whether they have been resolved. */
export async function listDifferences(
  database: Database,
  day: TenantDay,
  limit: number,
): Promise<ReconciliationItem[]> {
  return rows(
    database,
    `select i.charge_id, nullif(i.refund_id, '') as refund_id, i.kind, i.order_id, i.ours_minor, i.theirs_minor,
       ${mended} as mended
     from reconciliation_item i where i.tenant_id = :tenantId and i.date = :date
     order by i.charge_id, i.refund_id limit :limit`,
    { ...day, limit },
  );
}

/**
 * How many differences of a day will still be resolved automatically: lost callbacks and late money of orders that staff have
 * not set aside, and refunds that are being booked.
 */
export async function countBeingMended(database: Database, day: TenantDay): Promise<number> {
  const row = await firstRow<{ count: number }>(
    database,
    `select count(*)::int as count from reconciliation_item i
     where i.tenant_id = :tenantId and i.date = :date and not ${mended}
       and not exists (select from order_flag f where f.order_id = i.order_id and f.resolved_at is null)
       and (i.kind = 'paid_there_only' or (i.kind = 'refunded_there_only' and exists (
         select from gateway_event e where e.charge_id = i.charge_id and e.status = 'stored')))`,
    { ...day },
  );
  return row?.count ?? 0;
}

export interface ReconciliationFigures {
  /** Differences neither resolved nor ignored by staff. */
  differences: number;
  /** Days whose last comparison failed. */
  failed: number;
  /** Seconds since a tenant with a shop was last compared completely, or set up: the longest. */
  ageSeconds: number;
  /** Days since the oldest one that a tenant with a shop lacks; 0 if none does. */
  oldestMissingDays: number;
}

/** Older days no longer count: their open differences are known. */
const FIGURES_DAYS = 30;

/** Across all tenants, of the last 30 days. */
export async function readReconciliationFigures(database: Database): Promise<ReconciliationFigures> {
  const recent = `current_date - ${FIGURES_DAYS}`;
  const row = await firstRow<Omit<ReconciliationFigures, 'oldestMissingDays'>>(
    database,
    `select (select count(*) from reconciliation_item i where i.date >= ${recent} and not ${mended}
         and not exists (select from gateway_event e where e.charge_id = i.charge_id and e.resolution = 'ignore'))::int
         as differences,
       (select count(*) from reconciliation_day where status = 'failed' and date >= ${recent})::int as failed,
       coalesce((select max(extract(epoch from now() - coalesce((select max(d.compared_at) from reconciliation_day d
           where d.tenant_id = t.tenant_id), t.updated_at)))
         from tenant t where t.shop_id is not null), 0)::float8 as age_seconds`,
    {},
  );
  if (!row) throw new Error('a query without a condition has no row');
  return { ...row, oldestMissingDays: await oldestMissingDays(database) };
}
