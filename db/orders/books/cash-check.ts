import { type Database, rows } from '#db/database.ts';

/** In minor units; `sum` is over all accounts. */
interface CashBalances {
  receivable: number;
  gateway: number;
  refunds: number;
  disputed: number;
  sum: number;
}

/** An order whose cash entries are not what its payment and refunds say. */
export interface DriftingOrder {
  orderId: string;
  tenantId: string;
  balances: CashBalances;
  expected: CashBalances;
}

/** The sums of an order's entries. */
const booked = `select
    coalesce(sum(amount_minor) filter (where account = 'receivable'), 0) as receivable,
    coalesce(sum(amount_minor) filter (where account = 'gateway'), 0) as gateway,
    coalesce(sum(amount_minor) filter (where account = 'refunds'), 0) as refunds,
    coalesce(sum(amount_minor) filter (where account = 'disputed'), 0) as disputed,
    coalesce(sum(amount_minor), 0) as sum
  from cash_entry e where e.order_id = o.order_id`;

/** The amount owed for a payment in progress, and the amount received for a completed one. */
const payment = `select
    coalesce(sum(o.total_minor) filter (where a.hold_status = 'reserved'), 0) as receivable,
    coalesce(sum(coalesce(a.received_minor, o.total_minor)) filter (where a.hold_status = 'committed'), 0) as received
  from payment_attempt a where a.order_id = o.order_id`;

/** Unaccepted money is also at the gateway once it was read; money refunded elsewhere is still there. */
const refunded = `select
    coalesce(sum(r.amount_minor) filter (where r.kind = 'unaccepted'), 0) as unaccepted,
    coalesce(sum(r.amount_minor) filter (where r.status = 'confirmed'
      and r.resolution is distinct from 'done_elsewhere'), 0) as by_gateway,
    coalesce(sum(r.amount_minor) filter (where r.status <> 'confirmed'), 0) as open
  from refund r where r.order_id = o.order_id and r.currency is not null`;

/** It left the gateway's account when it was disputed, and comes back if that is won. */
const disputed = `select coalesce(sum(d.booked_minor), 0) as open
  from dispute d where d.order_id = o.order_id and d.status = 'open'`;

const balances = (from: Record<keyof CashBalances, string>) =>
  `jsonb_build_object(${Object.entries(from)
    .flatMap(([account, sum]) => [`'${account}'`, sum])
    .join(', ')})`;

/**
 * Compares the cash entries of some orders with their payments and refunds, which are written in the same
 * transactions. One statement sees all as of the same moment and takes no row lock; it reads by index.
 * @param source SQL for the orders, in the order of their ids where that matters
 */
export async function compareOrders(
  database: Database,
  source: string,
  bindings: Record<string, unknown>,
): Promise<{ compared: number; drifting: DriftingOrder[]; last: string | null }> {
  const found = await rows<DriftingOrder & { drifts: boolean }>(
    database,
    `select o.order_id, o.tenant_id, c.balances, c.expected, c.balances <> c.expected as drifts
     from (${source}) o
     cross join lateral (${booked}) b cross join lateral (${payment}) p cross join lateral (${refunded}) r
     cross join lateral (${disputed}) d
     cross join lateral (select
       ${balances({
         receivable: 'b.receivable',
         gateway: 'b.gateway',
         refunds: 'b.refunds',
         disputed: 'b.disputed',
         sum: 'b.sum',
       })} as balances,
       ${balances({
         receivable: 'p.receivable',
         gateway: 'p.received + r.unaccepted - r.by_gateway - d.open',
         refunds: '-r.open',
         disputed: 'd.open',
         sum: '0',
       })} as expected) c
     order by o.order_id`,
    bindings,
  );
  return {
    compared: found.length,
    drifting: found
      .filter(({ drifts }) => drifts)
      .map(({ orderId, tenantId, balances: own, expected }) => ({ orderId, tenantId, balances: own, expected })),
    last: found.at(-1)?.orderId ?? null,
  };
}

/** A page of all orders, in the order of their ids. */
export const ordersAfter = 'select * from customer_order where order_id > :after order by order_id limit :limit';

/** The drifting ones of a page of all orders. */
export const findDriftingOrders = (database: Database, page: { after: string; limit: number }) =>
  compareOrders(database, ordersAfter, page);
