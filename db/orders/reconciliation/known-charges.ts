import { CHARGE_PAID } from '#domain/orders/event-types.ts';
import type { OurCharge } from '#domain/orders/charge-comparison.ts';
import { type Database, rows } from '#db/database.ts';

/** A charge that the gateway lists, or one of ours that it does not. */
export interface ChargeName {
  chargeId: string;
  orderNo: string;
}

export interface KnownCharge extends OurCharge {
  chargeId: string;
  /** Whose order it is; null without one. */
  tenantId: string | null;
  /** A callback about it is recorded that its order still has to act on. */
  waiting: boolean;
}

/** Our records of these charges, in any order, one result each. Reads by index only. */
export async function findKnownCharges(database: Database, charges: readonly ChargeName[]): Promise<KnownCharge[]> {
  return rows(
    database,
    `select l.charge_id, o.order_id, o.tenant_id, coalesce(a.received_currency, o.currency) as currency,
       case when a.hold_status = 'committed' then coalesce(a.received_minor, o.total_minor) end as accepted_minor,
       r.refunded_minor, r.refunded_elsewhere_minor, r.refunding_minor, r.unaccepted,
       coalesce(d.disputed_minor, 0) as disputed_minor,
       coalesce(e.ignored, false) as ignored, coalesce(e.waiting, false) as waiting
     from unnest(:chargeIds::text[], :orderNos::text[]) as l (charge_id, order_no)
     left join payment_attempt a on a.charge_id = l.charge_id
     left join customer_order o on o.order_id = coalesce(a.order_id,
       (select n.order_id from customer_order n where n.order_no = l.order_no))
     left join lateral (
       select coalesce(sum(amount_minor) filter (where kind = 'staff' and status = 'confirmed' and origin <> 'dispute'
           and resolution is distinct from 'done_elsewhere'), 0)::bigint as refunded_minor,
         coalesce(sum(amount_minor) filter (where kind = 'staff' and status = 'confirmed'
           and resolution = 'done_elsewhere'), 0)::bigint as refunded_elsewhere_minor,
         coalesce(sum(amount_minor) filter (where kind = 'staff' and status <> 'confirmed'), 0)::bigint
           as refunding_minor,
         min(case when status <> 'confirmed' then 'open' when resolution = 'done_elsewhere' then resolution
           else 'confirmed' end) filter (where kind = 'unaccepted') as unaccepted
       from refund where charge_id = l.charge_id) r on true
     left join lateral (
       select sum(booked_minor)::bigint as disputed_minor
       from dispute where charge_id = l.charge_id and status <> 'won') d on true
     left join lateral (
       select bool_or(resolution is not distinct from 'ignore') as ignored, bool_or(status = 'stored') as waiting
       from gateway_event where charge_id = l.charge_id and type = '${CHARGE_PAID}') e on true`,
    { chargeIds: charges.map(({ chargeId }) => chargeId), orderNos: charges.map(({ orderNo }) => orderNo) },
  );
}

/** Where a page of accepted charges ended. */
export interface AcceptedPosition {
  /** ISO 8601 with microseconds, which a Date would truncate. */
  receivedAt: string;
  chargeId: string;
}

export interface AcceptedCharge extends AcceptedPosition, ChargeName {}

/** One tenant's shop on one day (UTC). */
export interface ShopDay {
  tenantId: string;
  shopId: string;
  /** `YYYY-MM-DD`. */
  date: string;
}

/**
 * Charges of the shop whose money was accepted on this day, and which the gateway has not listed as paid: a page of
 * `limit`, and whether there may be more.
 */
export async function findUnlistedCharges(
  database: Database,
  day: ShopDay,
  { after, limit }: { after: AcceptedPosition | null; limit: number },
): Promise<{ items: AcceptedCharge[]; next: AcceptedPosition | null }> {
  const accepted = await rows<AcceptedCharge & { listed: boolean }>(
    database,
    `select a.charge_id, o.order_no,
       to_char(a.received_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as received_at,
       exists (select from reconciliation_charge c
         where c.tenant_id = :tenantId and c.date = :date and c.charge_id = a.charge_id) as listed
     from payment_attempt a join customer_order o on o.order_id = a.order_id
     where a.shop_id = :shopId and a.hold_status = 'committed' and a.charge_id is not null
       and a.received_at >= cast(:from as timestamptz) and a.received_at < cast(:from as timestamptz) + interval '1 day'
       ${after ? 'and (a.received_at, a.charge_id) > (cast(:receivedAt as timestamptz), :chargeId)' : ''}
     order by a.received_at, a.charge_id limit :limit`,
    { ...day, from: `${day.date}T00:00:00Z`, ...after, limit },
  );
  const last = accepted.at(-1);
  const next = last && accepted.length === limit ? { receivedAt: last.receivedAt, chargeId: last.chargeId } : null;
  return { items: accepted.filter(({ listed }) => !listed), next };
}
