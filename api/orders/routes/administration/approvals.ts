import { decideApproval } from '#db/orders/approvals/decide.ts';
import { findApproval } from '#db/orders/approvals/approvals.ts';
import { type AuditRecord, type Author, recordAudit } from '#db/orders/audit.ts';
import type { Database, Transaction } from '#db/database.ts';
import type { Approval } from '#db/orders/models/approvals.ts';
import type { ResolveApproval } from '#domain/orders/administration/approvals.ts';
import { OrderError } from '#domain/orders/codes.ts';
import { approvalOperations } from '#domain/orders/operations/approvals.ts';
import type { ServeOrders } from '#api/orders/order-api.ts';
import { payResponse, type Payments } from '#api/orders/payments/pay.ts';
import { presentApproval } from '#api/orders/present/approval.ts';
import type { Payer } from '#api/orders/session.ts';
import type { StartRefund } from '#api/orders/start-refund.ts';
import { canAccessTenant } from '#api/orders/tenants.ts';
import { authorOf } from './access.ts';

interface ApprovalDeps {
  database: Database;
  payments: Payments;
  startRefund: StartRefund;
}

/** Records who asked for, approved, rejected or withdrew it, beside the order or callback that it is about. */
export async function auditApproval(
  transaction: Transaction,
  approval: Approval,
  what: { outcome: 'request' | ResolveApproval['outcome']; author: Author },
): Promise<void> {
  await recordAudit(transaction, {
    tenantId: approval.tenantId,
    author: what.author,
    action: `approval.${what.outcome}`,
    subject:
      approval.orderId === null
        ? { type: 'callback', id: approval.eventId ?? '' }
        : { type: 'order', id: approval.orderId },
    before: what.outcome === 'request' ? null : { status: 'waiting', requestedBy: approval.requestedBy },
    after: { ...presentApproval(approval) },
  });
}

/** Records the decision, or the request for approval. */
export const auditDecision = (
  transaction: Transaction,
  approval: Approval | null,
  decided: AuditRecord,
): Promise<void> =>
  approval
    ? auditApproval(transaction, approval, { outcome: 'request', author: decided.author })
    : recordAudit(transaction, decided);

/** @throws OrderError 90200 if there is no such request in reach. */
async function reachedApproval(database: Database, payer: Payer, approvalId: string): Promise<Approval> {
  const approval = await findApproval(database, approvalId);
  if (!approval || !(await canAccessTenant(database, payer, approval.tenantId))) throw new OrderError(90200);
  return approval;
}

/** Requesters cannot approve their own request; only they can withdraw it. @throws OrderError 90003 */
export function requireAnother(
  { requestedBy }: Pick<Approval, 'requestedBy'>,
  payer: Pick<Payer, 'userId'>,
  outcome: ResolveApproval['outcome'],
): void {
  const isOwn = requestedBy === payer.userId;
  if (isOwn === (outcome === 'withdraw')) return;
  const message = isOwn ? 'Somebody else has to decide on it' : 'Only whoever asked can withdraw it';
  throw new OrderError(90003, { message });
}

/** What waits for another member of staff. */
export function approvalRoutes(serve: ServeOrders, { database, payments, startRefund }: ApprovalDeps): void {
  serve(approvalOperations.resolveApproval, {
    handle: async ({ actor: payer, params, body }) => {
      const approval = await reachedApproval(database, payer, params.id);
      requireAnother(approval, payer, body.outcome);
      const decided = await decideApproval(database, { ...body, approval, by: payer }, (transaction, stored) =>
        auditApproval(transaction, stored, { outcome: body.outcome, author: authorOf(payer) }),
      );
      if (decided.kind === 'over') throw new OrderError(90202);
      const { kind, orderId, tenantId } = approval;
      const refundId = decided.carriedOut?.refundId ?? null;
      if (refundId !== null) await startRefund({ refundId, orderId, tenantId });
      else if (kind === 'flag_refund' && decided.carriedOut && orderId !== null) {
        const result = await payments.resolve(orderId);
        if (result.code === 90304 || result.code === 90206) payResponse(result);
      }
      return presentApproval(await reachedApproval(database, payer, params.id));
    },
  });
}
