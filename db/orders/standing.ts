import { type OrderStanding, type OrderWork, standingOf } from '#domain/orders/standing.ts';
import { orderStatus } from '#domain/orders/states.ts';
import { type Database, rows } from '../database.ts';
import { readSweep } from '../recurring/runs.ts';

/** Orders read at most for the metric; far more than anybody looks at. Passed as an array, since the planner expects many. */
const MOST = 1000;

/** Nothing counts as stalled before a minute. */
const LATE = `:now::timestamptz - interval '1 minute'`;

/** So many at most of each kind: while the gateway is away, all payments in progress are due. */
const oldest = (found: string, order = 'order_id') => `(select order_id from ${found} order by ${order} limit ${MOST})`;

/**
 * The ids of orders of which something is due, each kind from an index that has only what is open: most payments in progress
 * just wait for their payers.
 */
const due = [
  oldest(`customer_order where order_status = ${orderStatus.POINTS_UNKNOWN}`),
  oldest(`payment_attempt where hold_status = 'reserved' and (charge_id is null or cancel_requested)`),
  oldest(`payment_attempt where hold_status = 'reserved' and expires_at < ${LATE}`, 'expires_at'),
  oldest(
    `payment_attempt where hold_status = 'reserved' and charge_id is not null
       and coalesce(read_at, created_at) < :now::timestamptz - interval '7 minutes'`,
    'coalesce(read_at, created_at)',
  ),
  oldest(`gateway_event where status = 'stored' and received_at < ${LATE}`, 'received_at'),
  oldest('order_flag where resolved_at is null'),
  oldest(`refund where status = 'needs_staff'`),
  oldest(`refund where status = 'pending' and created_at < ${LATE}`, 'created_at'),
  oldest(`refund_approval where status = 'waiting'`),
].join(' union ');

// Staff who have decided wait no longer; their decision is carried out or not.
const undecidedSince = `least(
  (select min(f.raised_at) from order_flag f where f.order_id = o.order_id and f.resolved_at is null and f.resolution is null),
  (select min(r.created_at) from refund r where r.order_id = o.order_id and r.status = 'needs_staff'))`;

const hold = `(
  select json_build_object('since', a.created_at, 'isCharged', a.charge_id is not null,
    'cancelRequested', a.cancel_requested, 'expiresAt', a.expires_at, 'readAt', a.read_at,
    'unansweredSince', a.unanswered_since, 'callbackSince', (
      select min(e.received_at) from gateway_event e where e.order_id = a.order_id and e.status = 'stored'
        and e.received_at > coalesce(a.read_at, '-infinity')))
  from payment_attempt a where a.order_id = o.order_id and a.hold_status = 'reserved')`;

const refund = `(
  select json_build_object('since', r.created_at, 'unpaidSince', r.unpaid_since, 'unansweredSince', r.unanswered_since)
  from refund r where r.order_id = o.order_id and r.status = 'pending' order by r.created_at limit 1)`;

const selectWork = (which: string) => `
  select o.order_id, o.order_status, o.updated_at as changed_at, ${undecidedSince} as undecided_since,
    (select min(p.requested_at) from refund_approval p where p.order_id = o.order_id and p.status = 'waiting')
      as approval_since, ${hold} as hold, ${refund} as refund
  from customer_order o where ${which} order by o.updated_at, o.order_id limit ${MOST}`;

/** JSON has times as text. */
type Stored<Part> = Part extends null
  ? null
  : {
      [Key in keyof Part]: Part[Key] extends Date ? string : Part[Key] extends Date | null ? string | null : Part[Key];
    };

type WorkRow = Omit<OrderWork, 'hold' | 'refund'> & {
  orderId: string;
  hold: Stored<NonNullable<OrderWork['hold']>> | null;
  refund: Stored<NonNullable<OrderWork['refund']>> | null;
};

const timeOf = (text: string | null): Date | null => (text === null ? null : new Date(text));

function workOf({ hold: held, refund: refunded, ...row }: WorkRow): OrderWork {
  return {
    ...row,
    hold: held && {
      ...held,
      since: new Date(held.since),
      expiresAt: new Date(held.expiresAt),
      readAt: timeOf(held.readAt),
      callbackSince: timeOf(held.callbackSince),
      unansweredSince: timeOf(held.unansweredSince),
    },
    refund: refunded && {
      since: new Date(refunded.since),
      unpaidSince: timeOf(refunded.unpaidSince),
      unansweredSince: timeOf(refunded.unansweredSince),
    },
  };
}

async function read(
  database: Database,
  which: string,
  bindings: { orderIds?: readonly string[]; now: Date },
): Promise<Map<string, OrderStanding>> {
  const sweep = await readSweep(database);
  const found = await rows<WorkRow>(database, selectWork(which), bindings);
  return new Map(
    found.flatMap((row) => {
      const standing = standingOf(workOf(row), sweep, bindings.now);
      return standing ? [[row.orderId, standing] as const] : [];
    }),
  );
}

/**
 * What each of the orders that stand still has been at for longer than that is expected to take, and why, by order id; at most
 * a page of them. The caller has checked who asks.
 */
export const standingAmong = (
  database: Database,
  orderIds: readonly string[],
  now: Date,
): Promise<Map<string, OrderStanding>> =>
  orderIds.length === 0
    ? Promise.resolve(new Map<string, OrderStanding>())
    : read(database, 'o.order_id = any(:orderIds::text[])', { orderIds, now });

/** Counts of stalled orders of all tenants, for operations. */
export const standingOrders = async (database: Database, now: Date): Promise<OrderStanding[]> => [
  ...(await read(database, `o.order_id = any(array(${due}))`, { now })).values(),
];
