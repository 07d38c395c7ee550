import type { StaffOrderData } from '../../domain/orders/answers.ts';
import { type Database, firstRow, rows } from '../database.ts';
import { type OrderCursor, type OrderPage, orderSelect, type OrderRow, pageOrders } from './orders.ts';

/** What a session of staff reaches: its own tenant, and those whose headquarters that is. */
const reach = `o.tenant_id in (select :staffTenantId union all
  select tenant_id from tenant where headquarters_tenant_id = :staffTenantId)`;

export interface OrderSearch {
  staffTenantId: string;
  status: number | null;
  q: string | null;
}

/** Escapes what LIKE takes for a pattern. */
const literally = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

export async function searchOrders(
  database: Database,
  search: OrderSearch,
  page: { cursor: OrderCursor | null; limit: number },
): Promise<OrderPage> {
  const byStatus = search.status === null ? '' : 'and o.order_status = :status';
  const byText =
    search.q === null
      ? ''
      : 'and (o.order_no ilike :pattern or o.title ilike :pattern or o.order_id = :q or o.user_id = :q)';
  const bindings = {
    staffTenantId: search.staffTenantId,
    ...(search.status === null ? {} : { status: search.status }),
    ...(search.q === null ? {} : { q: search.q, pattern: `%${literally(search.q)}%` }),
  };
  return pageOrders(database, `${reach} ${byStatus} ${byText}`, bindings, page);
}

export async function findStaffOrder(
  database: Database,
  key: { staffTenantId: string; orderId: string },
): Promise<OrderRow | null> {
  return firstRow(database, `${orderSelect} where o.order_id = :orderId and ${reach}`, key);
}

type Details = Pick<StaffOrderData, 'flagDetails' | 'attempts' | 'ledger' | 'events' | 'refunds'>;
type Stored<Item, Times extends keyof Item> = {
  [Key in keyof Item]: Key extends Times ? Date | Extract<Item[Key], null> : Item[Key];
};

const iso = (at: Date): string => at.toISOString();

/** Everything that is kept about an order's payment. */
export async function readDetails(database: Database, orderId: string): Promise<Details> {
  const of = <Row>(select: string) => rows<Row>(database, select, { orderId });
  const flags = await of<Stored<Details['flagDetails'][number], 'raisedAt' | 'resolvedAt'>>(
    `select code, detail, raised_at as "raisedAt", resolution, resolved_by as "resolvedBy", resolved_at as "resolvedAt"
     from order_flag where order_id = :orderId order by raised_at, code`,
  );
  const attempts = await of<Stored<Details['attempts'][number], 'expiresAt'>>(
    `select attempt, hold_status as "holdStatus", expires_at as "expiresAt", charge_id as "chargeId",
       charge_sends as "chargeSends" from payment_attempt where order_id = :orderId order by attempt`,
  );
  const ledger = await of<Stored<Details['ledger'][number], 'at'>>(
    `select movement, tenant_id as "tenantId", user_id as "userId", kind, bucket, amount, at
     from ledger_entry where order_id = :orderId order by entry_id`,
  );
  const events = await of<Stored<Details['events'][number], 'receivedAt'>>(
    `select event_id as "eventId", type, charge_id as "chargeId", amount, currency, status,
       received_at as "receivedAt" from gateway_event where order_id = :orderId order by received_at, event_id`,
  );
  return {
    flagDetails: flags.map((flag) => ({
      ...flag,
      raisedAt: iso(flag.raisedAt),
      resolvedAt: flag.resolvedAt && iso(flag.resolvedAt),
    })),
    attempts: attempts.map((attempt) => ({ ...attempt, expiresAt: iso(attempt.expiresAt) })),
    ledger: ledger.map((entry) => ({ ...entry, at: iso(entry.at) })),
    events: events.map((event) => ({ ...event, receivedAt: iso(event.receivedAt) })),
    refunds: await of<Details['refunds'][number]>(
      'select charge_id as "chargeId", status from refund where order_id = :orderId order by created_at',
    ),
  };
}
