import type { TrackedClick } from '#domain/campaigns/revenue/click-token.ts';
import type { Invoice } from '#domain/orders/invoice.ts';
import { type Database, firstRow } from '../database.ts';
import { disputesOf, type NotedDispute } from './disputes/find.ts';
import { refundableMinor } from './refunds/refunds.ts';
import { type CashEntry, cashOf } from './books/cash.ts';
import { findOrigin } from './attribution/origins.ts';
import { findInvoice } from './invoices.ts';
import { approvalsOf } from './approvals/approvals.ts';
import type { Approval } from './models/approvals.ts';
import { containing, indexedLetters, lettersOf } from '../text-search.ts';
import { GatewayEvent, OrderFlag } from './models/events.ts';
import { type OrderNote, OrderTransition } from './models/orders.ts';
import { PaymentAttempt } from './models/payments.ts';
import { LedgerEntry } from './models/points.ts';
import { Refund } from './models/refunds.ts';
import { notesOf } from './notes.ts';
import {
  firstOfEach,
  gathered,
  type OrderPage,
  type OrderPageRequest,
  orderSelect,
  type OrderRow,
  pageOrders,
} from './orders.ts';

/** The tenants that a caller can access: its own, and for people those that have it as headquarters. */
export interface StaffReach {
  staffTenantId: string;
  withMembers: boolean;
}

/** SQL for these tenants. */
export const reached = `select :staffTenantId::text union
  select tenant_id from tenant where headquarters_tenant_id = :staffTenantId and :withMembers::boolean`;

export interface OrderSearch extends StaffReach {
  status: number | null;
  q: string | null;
  /** Only orders that await a staff decision, or are disputed. */
  flagged: boolean;
  /** Only orders with a refund or a dispute that needs staff, or a refund that waits for an approval. */
  needsStaff: boolean;
}

/** Matches the index customer_order_search. */
const searched = `(o.order_no || chr(10) || coalesce(o.title, ''))`;

/** Matches the index customer_order_letters. */
const letters = lettersOf(`o.order_no || chr(10) || coalesce(o.title, '')`);

export const openFlags = `select order_id from order_flag where resolved_at is null
  union select order_id from dispute where status = 'open'`;
export const stuckRefunds = `select order_id from refund where status = 'needs_staff'
  union select order_id from refund_approval where status = 'waiting'
  union select order_id from dispute where needs_staff`;

export async function searchOrders(
  database: Database,
  { staffTenantId, withMembers, status, q, flagged, needsStaff }: OrderSearch,
  page: OrderPageRequest,
): Promise<OrderPage> {
  const asked = indexedLetters(q ?? '');
  const containsText = `${searched} ilike :pattern ${asked.length === 0 ? '' : `and ${letters} @> :letters::text[]`}`;
  const conditions = [
    'true',
    ...(status === null ? [] : ['o.order_status = :status']),
    ...(q === null ? [] : [`(${containsText} or o.order_id = :q or o.user_id = :q)`]),
    // Passed as arrays: the lists are short, which the planner cannot know.
    ...(flagged ? [`o.order_id = any (array(${openFlags}))`] : []),
    ...(needsStaff ? [`o.order_id = any (array(${stuckRefunds}))`] : []),
  ].join(' and ');
  const bindings = { staffTenantId, withMembers, status, q, pattern: containing(q ?? ''), letters: asked };
  const source =
    q === null && !flagged && !needsStaff ? firstOfEach(reached, conditions) : gathered(reached, conditions);
  return pageOrders(database, source, bindings, page);
}

export async function findStaffOrder(
  database: Database,
  key: StaffReach & { orderId: string },
): Promise<OrderRow | null> {
  return firstRow(database, `${orderSelect} where o.order_id = :orderId and o.tenant_id in (${reached})`, { ...key });
}

/** The records of an order's payment; lists oldest first, except notes. */
export interface OrderDetails {
  flags: OrderFlag[];
  attempts: PaymentAttempt[];
  history: OrderTransition[];
  ledger: LedgerEntry[];
  cash: CashEntry[];
  events: GatewayEvent[];
  refunds: Refund[];
  disputes: NotedDispute[];
  approvals: Approval[];
  notes: OrderNote[];
  /** The campaign link that it came from; null if none. */
  origin: TrackedClick | null;
  invoice: Invoice | null;
  /** What staff can still refund. */
  refundableMinor: number;
}

export async function readDetails(database: Database, orderId: string): Promise<OrderDetails> {
  return {
    flags: await OrderFlag.query(database).where({ orderId }).orderBy(['raisedAt', 'code']),
    attempts: await PaymentAttempt.query(database).where({ orderId }).orderBy('attempt'),
    history: await OrderTransition.query(database).where({ orderId }).orderBy('transitionId'),
    ledger: await LedgerEntry.query(database).where({ orderId }).orderBy('entryId'),
    cash: await cashOf(database, orderId),
    events: await GatewayEvent.query(database).where({ orderId }).orderBy(['receivedAt', 'eventId']),
    refunds: await Refund.query(database).where({ orderId }).orderBy('createdAt'),
    disputes: await disputesOf(database, orderId),
    approvals: await approvalsOf(database, orderId),
    notes: await notesOf(database, orderId),
    origin: await findOrigin(database, orderId),
    invoice: await findInvoice(database, orderId),
    refundableMinor: await refundableMinor(database, orderId),
  };
}
