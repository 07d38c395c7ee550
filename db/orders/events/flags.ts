import { fn } from 'objection';
import type { Resolution } from '#domain/orders/administration.ts';
import { openOrderStatuses } from '#domain/orders/states.ts';
import type { Database, Transaction } from '#db/database.ts';
import { askForApproval, awaitsApproval, lapseDecided, type Staff } from '../approvals/approvals.ts';
import { recordFlagged } from '../merchant-events/events.ts';
import { type FlagCode, OrderFlag } from '../models/events.ts';
import type { Approval } from '../models/approvals.ts';
import { PaymentAttempt } from '../models/payments.ts';
import type { OrderRow } from '../orders.ts';
import { lockOrder } from '../payments.ts';
import { transact } from '../transaction.ts';

export interface Flag {
  code: FlagCode;
  /** What was agreed, as text. */
  expected: string;
  /** What the gateway reports instead, as text. */
  reported: string;
}

/** What staff have not resolved. Ask once the order is locked: what `lockOrder` returns may be older than its lock. */
export const openFlags = (database: Database, orderId: string) =>
  OrderFlag.query(database).where({ orderId }).whereNull('resolvedAt');

/** The same in the transaction of something else. */
export async function raiseFlagsOn(transaction: Transaction, orderId: string, flags: Flag[]): Promise<void> {
  await lockOrder(transaction, orderId);
  const before = await openFlags(transaction, orderId);
  for (const flag of flags) {
    await OrderFlag.query(transaction)
      .insert({ orderId, ...flag })
      .onConflict(['orderId', 'code'])
      .ignore();
  }
  await recordFlagged(transaction, { orderId, flags: before.map(({ code }) => code) });
}

/** Sets an order aside for staff: it neither completes nor expires until they decide. */
export async function raiseFlags(database: Database, orderId: string, flags: Flag[]): Promise<void> {
  await transact(database, (transaction) => raiseFlagsOn(transaction, orderId, flags));
}

/** A decision of staff about a flagged order. */
export interface FlagDecision {
  orderId: string;
  outcome: Resolution;
  by: Staff;
}

async function hasCharge(transaction: Transaction, { orderId, attempt }: OrderRow): Promise<boolean> {
  const charged = await PaymentAttempt.query(transaction).findById([orderId, attempt]).whereNotNull('chargeId');
  return charged !== undefined;
}

/**
 * `no_charge`: it cannot be completed, because no money can have come for it so far. `waits`: another member of staff has to
 * approve first.
 */
export type FlagDecided = 'decided' | 'rejected' | 'no_charge' | 'waits';

/** Stores a possible decision. */
async function store(
  transaction: Transaction,
  { orderId, outcome, by }: { orderId: string; outcome: Resolution; by: string },
  inProgress: boolean,
): Promise<void> {
  await openFlags(transaction, orderId).patch({
    resolution: outcome,
    resolvedBy: by,
    ...(inProgress ? {} : { resolvedAt: fn.now() }),
  });
  await lapseDecided(transaction, { kind: 'flag_refund', orderId });
}

/** The refund of a flagged order: the amount received if known, else its price. */
async function moneyOf(transaction: Transaction, order: OrderRow) {
  const { orderId, tenantId, attempt } = order;
  const paid = await PaymentAttempt.query(transaction).findById([orderId, attempt]);
  return {
    orderId,
    tenantId,
    amountMinor: paid?.receivedMinor ?? order.totalMinor,
    currency: paid?.receivedCurrency ?? order.currency,
  };
}

/** What there is to decide; otherwise what the answer is without anything being done. */
async function undecided(
  transaction: Transaction,
  order: OrderRow,
  outcome: Resolution,
): Promise<{ inProgress: boolean } | Exclude<FlagDecided, 'waits'>> {
  const open = await openFlags(transaction, order.orderId);
  if (open.length === 0) return 'rejected';
  const earlier = open.find(({ resolution }) => resolution !== null)?.resolution ?? null;
  if (earlier !== null) return earlier === outcome ? 'decided' : 'rejected';
  const inProgress = openOrderStatuses.some((status) => status === order.orderStatus);
  if (!inProgress && outcome === 'refund') return 'rejected';
  if (inProgress && outcome === 'complete' && !(await hasCharge(transaction, order))) return 'no_charge';
  return { inProgress };
}

/**
 * Records the decision; payOrder carries it out, once it is known what became of the charge. An order without a payment
 * in progress has nothing to carry out: its flags can only be acknowledged (`complete`). A refund above the tenant's limit
 * waits for an approval.
 * @param onDecided runs in the same transaction, only if this call made the decision, or (`approval`) asked for it.
 * @returns `rejected` if the order has no open flag, or the opposite was decided before.
 */
export async function decideFlags(
  database: Database,
  { orderId, outcome, by }: FlagDecision,
  onDecided: (transaction: Transaction, approval: Approval | null) => Promise<void>,
): Promise<FlagDecided> {
  return transact(database, async (transaction): Promise<FlagDecided> => {
    const order = await lockOrder(transaction, orderId);
    if (!order) return 'rejected';
    const state = await undecided(transaction, order, outcome);
    if (typeof state === 'string') return state;
    const money = outcome === 'refund' ? await moneyOf(transaction, order) : null;
    if (money && (await awaitsApproval(transaction, money))) {
      const asked = await askForApproval(transaction, { kind: 'flag_refund', reason: null, ...money }, by);
      if (asked) await onDecided(transaction, asked);
      return 'waits';
    }
    await store(transaction, { orderId, outcome, by: by.userId }, state.inProgress);
    await onDecided(transaction, null);
    return 'decided';
  });
}

/** Stores the refund that was asked for, now that somebody else approves. @returns false if it is not possible any more. */
export async function refundApprovedFlags(transaction: Transaction, order: OrderRow, by: string): Promise<boolean> {
  const state = await undecided(transaction, order, 'refund');
  if (typeof state === 'string') return false;
  await store(transaction, { orderId: order.orderId, outcome: 'refund', by }, state.inProgress);
  return true;
}

/** The decision cannot be carried out: the order waits for another one. */
export async function withdrawDecision(database: Database, orderId: string): Promise<void> {
  await openFlags(database, orderId).patch({ resolution: null, resolvedBy: null });
}
