import { fn } from 'objection';
import type { ResolveApproval } from '#domain/orders/administration/approvals.ts';
import { type Database, firstRow, type Transaction } from '#db/database.ts';
import { refundApprovedFlags } from '../events/flags.ts';
import { refundApprovedCallback } from '../events/unmatched.ts';
import { Approval } from '../models/approvals.ts';
import { lockOrder } from '../payments.ts';
import { grantApproved } from '../refunds/requests.ts';
import { transact } from '../transaction.ts';
import type { Staff } from './approvals.ts';

/** What to do once the decision is stored: start a refund, or resume an order's payment. */
export interface CarriedOut {
  refundId: string | null;
}

/** `over`: it does not wait any more, or cannot be carried out any more. */
export type ApprovalDecided = { kind: 'decided'; carriedOut: CarriedOut | null } | { kind: 'over' };

/** Nothing is written. */
class NotPossible extends Error {
  override name = 'NotPossible';
}

/** In the order in which everyone locks: the order or the callback, then what waits for it. */
async function lockSubject(transaction: Transaction, { orderId, eventId }: Approval) {
  if (orderId !== null) return lockOrder(transaction, orderId);
  await firstRow(transaction, 'select 1 from gateway_event where event_id = :eventId for update', { eventId });
  return null;
}

/** @throws NotPossible */
async function carryOut(
  transaction: Transaction,
  order: Awaited<ReturnType<typeof lockSubject>>,
  { approval, by }: { approval: Approval; by: string },
): Promise<CarriedOut> {
  if (order === null) {
    const refundId = await refundApprovedCallback(transaction, approval, by);
    if (refundId === null) throw new NotPossible();
    return { refundId };
  }
  if (approval.kind === 'flag_refund') {
    if (!(await refundApprovedFlags(transaction, order, approval.requestedBy))) throw new NotPossible();
    return { refundId: null };
  }
  const refund = await grantApproved(transaction, order, { approval, approvedBy: by });
  if (!refund) throw new NotPossible();
  return { refundId: refund.refundId };
}

const decidedStatus = { approve: 'approved', reject: 'rejected', withdraw: 'withdrawn' } as const;

interface Decision extends ResolveApproval {
  approval: Approval;
  by: Staff;
}

async function storeDecision(transaction: Transaction, { approval, outcome, reason, by }: Decision) {
  return Approval.query(transaction)
    .findById(approval.approvalId)
    .where({ status: 'waiting' })
    .patch({
      status: decidedStatus[outcome],
      decidedBy: by.userId,
      decidedByName: by.name,
      decidedAt: fn.now(),
      decisionReason: reason ?? null,
    })
    .returning('*')
    .first();
}

/**
 * Approves, rejects or withdraws what waits, once: of several at once, one decides. What is approved is decided in the same
 * transaction, so that it is either both or neither. Who may do it is up to the caller.
 * @param onDecided runs in the same transaction, only if this call decided.
 */
export async function decideApproval(
  database: Database,
  decision: Decision,
  onDecided: (transaction: Transaction, approval: Approval) => Promise<void>,
): Promise<ApprovalDecided> {
  try {
    return await transact(database, async (transaction): Promise<ApprovalDecided> => {
      const order = await lockSubject(transaction, decision.approval);
      const approval = await storeDecision(transaction, decision);
      if (!approval) return { kind: 'over' };
      const approved = decision.outcome === 'approve';
      const carriedOut = approved ? await carryOut(transaction, order, { approval, by: decision.by.userId }) : null;
      await onDecided(transaction, approval);
      return { kind: 'decided', carriedOut };
    });
  } catch (error) {
    if (error instanceof NotPossible) return { kind: 'over' };
    throw error;
  }
}
