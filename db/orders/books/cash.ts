import { type Database, rows, type Transaction } from '#db/database.ts';
import type { Dispute } from '../models/disputes.ts';
import type { Refund } from '../models/refunds.ts';
import type { OrderRow } from '../orders.ts';

/** What an order's cash is booked by. */
type BookedOrder = Pick<OrderRow, 'orderId' | 'tenantId' | 'currency' | 'totalMinor' | 'attempt'>;

type CashAccount = 'receivable' | 'sales' | 'gateway' | 'refunds' | 'disputed' | 'elsewhere';

/** One side of a movement of money. */
export interface CashEntry {
  movement: string;
  account: CashAccount;
  amountMinor: number;
  tenantId: string;
  at: Date;
}

/** Of one order, oldest first. */
export const cashOf = (database: Database, orderId: string): Promise<CashEntry[]> =>
  rows(
    database,
    'select movement, account, amount_minor, tenant_id, at from cash_entry where order_id = :orderId order by entry_id',
    { orderId },
  );

interface CashMovement {
  /** Unique: an entry is booked once per key. */
  movement: string;
  tenantId: string;
  orderId: string | null;
  currency: string;
  /** Gets the amount; `from` gets it negated. */
  to: CashAccount;
  from: CashAccount;
  amountMinor: number;
}

async function book(transaction: Transaction, movement: CashMovement): Promise<void> {
  if (movement.amountMinor === 0) return;
  await transaction.raw(
    `insert into cash_entry (movement, account, amount_minor, currency, tenant_id, order_id)
     select :movement, account, sign * cast(:amountMinor as bigint), :currency, :tenantId, :orderId
     from (values (cast(:to as text), 1), (:from, -1)) as sides (account, sign)
     on conflict (movement, account) do nothing`,
    { ...movement },
  );
}

const ofOrder = ({ orderId, tenantId, currency, attempt }: BookedOrder, what: string) => ({
  movement: `${what}:${orderId}:${attempt}`,
  tenantId,
  orderId,
  currency,
});

/** It ends unpaid: nothing is owed. */
export async function bookVoid(transaction: Transaction, order: BookedOrder): Promise<void> {
  await book(transaction, {
    ...ofOrder(order, 'void'),
    to: 'sales',
    from: 'receivable',
    amountMinor: order.totalMinor,
  });
}

/** What the gateway shows as received for a charge. */
export interface ReceivedCash {
  minor: number;
  currency: string;
}

/**
 * The money is accepted. Where staff accept another amount than was agreed, the difference changes the sale, so that
 * nothing is owed any more; money in another currency is a sale of its own.
 */
export async function bookReceipt(
  transaction: Transaction,
  order: BookedOrder,
  received: ReceivedCash | null,
): Promise<void> {
  const { minor, currency } = received ?? { minor: order.totalMinor, currency: order.currency };
  const receipt = { ...ofOrder(order, 'receipt'), currency, to: 'gateway', amountMinor: minor } as const;
  if (currency !== order.currency) {
    await book(transaction, { ...receipt, from: 'sales' });
    await bookVoid(transaction, order);
    return;
  }
  await book(transaction, { ...receipt, from: 'receivable' });
  const difference = { ...ofOrder(order, 'difference'), to: 'receivable', from: 'sales' } as const;
  await book(transaction, { ...difference, amountMinor: minor - order.totalMinor });
}

type BookedRefund = Pick<
  Refund,
  'refundId' | 'kind' | 'origin' | 'tenantId' | 'orderId' | 'amountMinor' | 'currency' | 'resolution'
>;

const ofRefund = ({ refundId, tenantId, orderId, amountMinor, currency }: BookedRefund, what: string) =>
  amountMinor === null || currency === null
    ? null
    : { movement: `${what}:${refundId}`, tenantId, orderId, amountMinor, currency };

/** Money is to be given back: what no order accepts came from the gateway, what staff refund was a sale. */
export async function bookRefundDecided(transaction: Transaction, refund: BookedRefund): Promise<void> {
  const movement = ofRefund(refund, 'refund');
  const to = refund.kind === 'staff' ? 'sales' : 'gateway';
  if (movement) await book(transaction, { ...movement, to, from: 'refunds' });
}

function sourceOf({ origin, resolution }: BookedRefund): CashAccount {
  if (origin === 'dispute') return 'disputed';
  return resolution === 'done_elsewhere' ? 'elsewhere' : 'gateway';
}

/** It was given back, by the gateway or elsewhere; money whose amount was never read was never booked. */
export async function bookRefundConfirmed(transaction: Transaction, refund: BookedRefund): Promise<void> {
  const movement = ofRefund(refund, 'refunded');
  if (movement) await book(transaction, { ...movement, to: 'refunds', from: sourceOf(refund) });
}

/** More of it is disputed, or less (negative). @param cause what changed that; once for each */
export async function bookDisputed(
  transaction: Transaction,
  { disputeId, tenantId, orderId, currency }: Pick<Dispute, 'disputeId' | 'tenantId' | 'orderId' | 'currency'>,
  { addedMinor, cause }: { addedMinor: number; cause: string },
): Promise<void> {
  const movement = { movement: `dispute:${disputeId}:${cause}`, tenantId, orderId, currency };
  await book(transaction, { ...movement, to: 'disputed', from: 'gateway', amountMinor: addedMinor });
}
