import type { Mutant } from '../mutant.ts';

const statement = 'db/orders/opening/statement.ts';
const opened = ['db/orders/opening/statement.test.ts'];
const refused = ['db/orders/opening/refusals.test.ts'];
const looked = ['db/orders/books/look.test.ts'];
const ends = 'db/orders/charges/ends.ts';

/** What a payment holds, its charge, and how it ends. */
export const ofPayments: readonly Mutant[] = [
  {
    file: statement,
    from: ' and c.user_id = o.user_id',
    to: '',
    tests: opened,
    why: 'an order is paid with the coupon of another payer',
  },
  {
    file: statement,
    from: ' and c.tenant_id = o.tenant_id',
    to: '',
    tests: opened,
    why: 'an order is paid with the coupon of another tenant',
  },
  {
    file: statement,
    from: `where c.status = 'available' and c.tenant_id`,
    to: `where c.tenant_id`,
    tests: opened,
    why: 'one coupon pays for two orders',
  },
  {
    file: statement,
    from: 'where w.amount > 0 and a.available >= w.amount and',
    to: 'where w.amount > 0 and',
    tests: opened,
    why: 'points are taken that nobody has',
  },
  {
    file: statement,
    from: '(g.stock is null or g.stock - g.held >= w.qty)',
    to: '(g.stock is null or g.stock >= w.qty)',
    tests: opened,
    why: 'what is held for one order is sold to another',
  },
  {
    file: statement,
    from: 'and o.attempt = :attempt and o.order_status = ${orderStatus.CREATED}',
    to: 'and o.attempt = :attempt',
    tests: opened,
    why: 'an order that has ended is paid',
  },
  {
    file: statement,
    from: 'and o.attempt = :attempt and o.order_status',
    to: 'and o.order_status',
    tests: opened,
    why: 'a payment of an earlier attempt opens the one after it',
  },
  {
    file: statement,
    from: '(${openHolds}) >= cast(:maxOpenHolds as bigint)',
    to: '(${openHolds}) > cast(:maxOpenHolds as bigint)',
    tests: opened,
    why: 'a payer holds more unpaid orders than the service allows',
  },
  {
    file: statement,
    from: "when not o.free and o.shop_id is null then 'shop'",
    to: '',
    tests: refused,
    why: 'a payment is opened that no charge can be made for',
  },
  {
    file: statement,
    from: 'when (select count(*) from points) < o.kinds then case',
    to: 'when (select count(*) from points) = 0 then case',
    tests: refused,
    why: 'points of a kind that the payer lacks are not taken',
  },
  {
    file: statement,
    from: 'attempt = c.attempt + (d.missing is not null)::int, updated_at',
    to: 'updated_at',
    tests: refused,
    why: 'the next pay is answered with the refusal of this one',
  },
  {
    file: 'db/orders/holds.ts',
    from: `const ownReserved = \`status = 'reserved' and order_id = :orderId\`;`,
    to: `const ownReserved = \`status = 'reserved'\`;`,
    tests: ['db/orders/charges/ends.test.ts'],
    why: 'an order gives back the coupon that another holds',
  },
  {
    file: 'db/orders/ledger.ts',
    from: `release: ['reserved', 'available'],`,
    to: `release: ['reserved', 'committed'],`,
    tests: ['db/orders/charges/ends.test.ts'],
    why: 'points of an order that was not paid are not given back',
  },
  {
    file: ends,
    from: `and attempt = :attempt and hold_status = 'reserved'
       \${fence`,
    to: `and attempt = :attempt
       \${fence`,
    tests: ['db/orders/charges/ends.test.ts'],
    why: 'what an order holds is given back twice',
  },
  {
    file: ends,
    from: `'and charge_id is null and charge_sends = :sends'`,
    to: `'and charge_id is null'`,
    tests: ['db/orders/charges/ends.test.ts'],
    why: 'a call that timed out ends a payment whose charge was sent again meanwhile',
  },
  {
    file: ends,
    from: '(await decidedEnd(transaction, orderId)) ?? end',
    to: 'end',
    tests: ['db/orders/charges/ends.test.ts'],
    why: 'an order that its payer cancelled ends as one that the gateway refused',
  },
  {
    file: 'activities/orders/charge-payment.ts',
    from: `outcome.kind === 'invalid' && sends > 1 && !expired`,
    to: 'false',
    tests: ['activities/orders/charge-payment.test.ts'],
    why: 'a repetition that is refused leaves a charge that can be paid',
  },
  {
    file: ends,
    from: `if (by === 'gateway' && (await isFlagged(transaction, order.orderId))) return;`,
    to: '',
    tests: ['db/orders/charges/ends.test.ts'],
    why: 'an order whose amount differs completes without a decision',
  },
  {
    file: ends,
    from: 'order?.orderStatus === orderStatus.PAYMENT_PENDING && order.attempt === ref.attempt',
    to: 'order?.orderStatus === orderStatus.PAYMENT_PENDING',
    tests: ['db/orders/charges/ends.test.ts'],
    why: 'the end of an earlier attempt ends the one after it',
  },
  {
    file: 'db/orders/charges/sends.ts',
    from: `and a.charge_id is null and a.hold_status = 'reserved'
       and o.order_id`,
    to: `and a.hold_status = 'reserved'
       and o.order_id`,
    tests: ['db/orders/charges/sends.test.ts'],
    why: 'an order is charged twice',
  },
  {
    file: 'db/orders/charges/sends.ts',
    from: `where a.order_id = o.order_id and a.attempt = :attempt and a.charge_id is null and not o.events`,
    to: `where a.order_id = o.order_id and a.attempt = :attempt and not o.events`,
    tests: ['db/orders/charges/sends.test.ts'],
    why: 'the charge of an order is replaced by a later one',
  },
  {
    file: 'db/orders/payments.ts',
    from: `if (order?.orderStatus !== orderStatus.CREATED) return false;`,
    to: `if (!order) return false;`,
    tests: ['db/orders/charges/ends.test.ts'],
    why: 'an order is cancelled while it is being paid',
  },
  {
    file: 'db/orders/payments.ts',
    from: 'and o.tenant_id = :tenantId and o.user_id = :userId`',
    to: 'and o.tenant_id = :tenantId`',
    tests: ['db/orders/orders.test.ts'],
    why: 'a payer sees the payments of another',
  },
  {
    file: 'db/orders/orders.ts',
    from: 'where o.order_id = :orderId and o.tenant_id = :tenantId and o.user_id = :userId`',
    to: 'where o.order_id = :orderId and o.user_id = :userId`',
    tests: ['db/orders/orders.test.ts'],
    why: 'the orders of one tenant are read at another',
  },
  {
    file: 'db/orders/order-keys.ts',
    from: 'return requestHash === key.requestHash ? created : null;',
    to: 'return created;',
    tests: ['db/orders/order-keys.test.ts'],
    why: 'another order is answered with the one that its key stands for',
  },
  {
    file: 'db/orders/order-keys.ts',
    from: 'and k.created_at >= now() - ${LIFETIME}`',
    to: '`',
    tests: ['db/orders/order-keys.test.ts'],
    why: 'a key never ends',
  },
  {
    file: 'db/orders/events/events.ts',
    from: `if (order.orderStatus === orderStatus.DONE && current === event.chargeId) return 'settled';`,
    to: `if (order.orderStatus === orderStatus.DONE) return 'settled';`,
    tests: ['db/orders/events/events.test.ts'],
    why: 'the money of a second charge is kept',
  },
  {
    file: 'db/orders/events/events.ts',
    from: '(current === null || current === event.chargeId)',
    to: 'current !== null',
    tests: ['db/orders/events/events.test.ts'],
    why: 'money that came before the response to its charge goes back',
  },
  {
    file: 'domain/orders/states.ts',
    from: 'expired: (points: boolean) => statuses(TIMEOUT, released(points), paymentStatus.CANCELLED),',
    to: 'expired: (points: boolean) => statuses(TIMEOUT, points ? COMMITTED : NONE, paymentStatus.CANCELLED),',
    tests: ['db/orders/charges/ends.test.ts'],
    why: 'the points of an order whose time is up count as taken',
  },
  {
    file: 'db/orders/books/written.ts',
    from: "where locktype = 'relation' and mode = 'RowExclusiveLock' and granted",
    to: "where locktype = 'relation' and mode = 'ExclusiveLock' and granted",
    tests: looked,
    why: 'a look at the books misses what commits late',
  },
  {
    file: 'db/orders/books/look.ts',
    from: `from cash_entry where \${between('entry_id', 'cashEntry')}
    union select order_id from order_transition where \${between('transition_id', 'orderTransition')})\`;`,
    to: `from cash_entry where \${between('entry_id', 'cashEntry')})\`;`,
    tests: looked,
    why: 'an order that is paid without an entry is not looked at',
  },
];
