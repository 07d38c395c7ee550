import type { CallbackEvent, StaffOrderData } from '../../domain/orders/responses.ts';
import { type Database, firstRow, rows } from '../database.ts';
import { containing, indexedLetters, lettersOf } from '../text-search.ts';
import {
  gathered,
  newestOfEach,
  type OrderCursor,
  type OrderPage,
  orderSelect,
  type OrderRow,
  pageOrders,
} from './orders.ts';

/** SQL: the tenants that a session of staff reaches: its own, and those whose headquarters that is. */
const reached = `select :staffTenantId::text union
  select tenant_id from tenant where headquarters_tenant_id = :staffTenantId`;

export interface OrderSearch {
  staffTenantId: string;
  status: number | null;
  q: string | null;
  /** Only where a decision of staff is open. */
  flagged: boolean;
}

/** As the index customer_order_search has it. */
const searched = `(o.order_no || chr(10) || coalesce(o.title, ''))`;

/** As the index customer_order_letters has it. */
const letters = lettersOf(`o.order_no || chr(10) || coalesce(o.title, '')`);

const openFlags = 'select order_id from order_flag where resolved_at is null';

export async function searchOrders(
  database: Database,
  { staffTenantId, status, q, flagged }: OrderSearch,
  page: { cursor: OrderCursor | null; limit: number },
): Promise<OrderPage> {
  const asked = indexedLetters(q ?? '');
  const containsText = `${searched} ilike :pattern ${asked.length === 0 ? '' : `and ${letters} @> :letters::text[]`}`;
  const conditions = [
    'true',
    ...(status === null ? [] : ['o.order_status = :status']),
    ...(q === null ? [] : [`(${containsText} or o.order_id = :q or o.user_id = :q)`]),
    // As a list: it is short, which the planner cannot know.
    ...(flagged ? [`o.order_id = any (array(${openFlags}))`] : []),
  ].join(' and ');
  const bindings = { staffTenantId, status, q, pattern: containing(q ?? ''), letters: asked };
  const source = q === null && !flagged ? newestOfEach(reached, conditions) : gathered(reached, conditions);
  return pageOrders(database, source, bindings, page);
}

export async function findStaffOrder(
  database: Database,
  key: { staffTenantId: string; orderId: string },
): Promise<OrderRow | null> {
  return firstRow(database, `${orderSelect} where o.order_id = :orderId and o.tenant_id in (${reached})`, key);
}

type Details = Pick<StaffOrderData, 'flagDetails' | 'attempts' | 'history' | 'ledger' | 'events' | 'refunds'>;
/** A detail's row: its times come as Date. */
type Stored<Name extends keyof Details, Times extends keyof Details[Name][number]> = {
  [Key in keyof Details[Name][number]]: Key extends Times
    ? Date | Extract<Details[Name][number][Key], null>
    : Details[Name][number][Key];
};

const iso = (at: Date): string => at.toISOString();
const isoOrNull = (at: Date | null): string | null => at && iso(at);

/** What the order went through, oldest first. */
async function readHistory(database: Database, orderId: string): Promise<Pick<Details, 'history' | 'attempts'>> {
  const of = <Row>(select: string) => rows<Row>(database, select, { orderId });
  const history = await of<Stored<'history', 'at'>>(
    `select order_status, points_status, payment_status, attempt, at
     from order_transition where order_id = :orderId order by transition_id`,
  );
  const attempts = await of<Stored<'attempts', 'startedAt' | 'expiresAt'>>(
    `select attempt, created_at as started_at, hold_status, expires_at,
       shop_id, currency, charge_id, charge_sends,
       cancel_requested
     from payment_attempt where order_id = :orderId order by attempt`,
  );
  return {
    history: history.map((entry) => ({ ...entry, at: iso(entry.at) })),
    attempts: attempts.map((attempt) => ({
      ...attempt,
      startedAt: iso(attempt.startedAt),
      expiresAt: iso(attempt.expiresAt),
    })),
  };
}

const eventSelect = `select event_id, type, charge_id, order_no, shop_id,
    amount, currency, status, received_at, body from gateway_event`;

const presentEvent = (event: Stored<'events', 'receivedAt'>): CallbackEvent => ({
  ...event,
  receivedAt: iso(event.receivedAt),
});

/** Callbacks that fit no payment, of the shops that staff of a tenant reach; the newest 100. */
export async function unmatchedCallbacks(database: Database, staffTenantId: string): Promise<CallbackEvent[]> {
  const found = await rows<Stored<'events', 'receivedAt'>>(
    database,
    `${eventSelect} where status = 'unmatched' and shop_id in (
       select shop_id from tenant where tenant_id = :staffTenantId or headquarters_tenant_id = :staffTenantId)
     order by received_at desc, event_id desc limit 100`,
    { staffTenantId },
  );
  return found.map(presentEvent);
}

/** What the gateway told, and what came of it. */
async function readMoney(database: Database, orderId: string): Promise<Pick<Details, 'events' | 'refunds'>> {
  const of = <Row>(select: string) => rows<Row>(database, select, { orderId });
  const events = await of<Stored<'events', 'receivedAt'>>(
    `${eventSelect} where order_id = :orderId order by received_at, event_id`,
  );
  const refunds = await of<Stored<'refunds', 'decidedAt' | 'confirmedAt'>>(
    `select charge_id, status, created_at as decided_at, confirmed_at
     from refund where order_id = :orderId order by created_at`,
  );
  return {
    events: events.map(presentEvent),
    refunds: refunds.map((refund) => ({
      ...refund,
      decidedAt: iso(refund.decidedAt),
      confirmedAt: isoOrNull(refund.confirmedAt),
    })),
  };
}

/** Everything that is kept about an order's payment. */
export async function readDetails(database: Database, orderId: string): Promise<Details> {
  const flags = await rows<Stored<'flagDetails', 'raisedAt' | 'resolvedAt'>>(
    database,
    `select code, detail, raised_at, resolution, resolved_by, resolved_at
     from order_flag where order_id = :orderId order by raised_at, code`,
    { orderId },
  );
  const ledger = await rows<Stored<'ledger', 'at'>>(
    database,
    `select movement, tenant_id, user_id, kind, bucket, amount, at
     from ledger_entry where order_id = :orderId order by entry_id`,
    { orderId },
  );
  return {
    flagDetails: flags.map((flag) => ({
      ...flag,
      raisedAt: iso(flag.raisedAt),
      resolvedAt: isoOrNull(flag.resolvedAt),
    })),
    ledger: ledger.map((entry) => ({ ...entry, at: iso(entry.at) })),
    ...(await readHistory(database, orderId)),
    ...(await readMoney(database, orderId)),
  };
}
