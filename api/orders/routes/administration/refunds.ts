import type { Database } from '#db/database.ts';
import { recordAudit } from '#db/orders/audit.ts';
import type { Refund } from '#db/orders/models/refunds.ts';
import { listRefunds } from '#db/orders/refunds/list.ts';
import { confirmElsewhere, findRefund, retryRefund } from '#db/orders/refunds/refunds.ts';
import { requestRefund } from '#db/orders/refunds/requests.ts';
import { withOrderTitles } from '#db/orders/order-titles.ts';
import { mapPage } from '#domain/cursor.ts';
import { OrderError } from '#domain/orders/codes.ts';
import { staffOrderOperations } from '#domain/orders/operations/staff-orders.ts';
import type { ResolveRefund } from '#domain/orders/administration/refunds.ts';
import type { ServeOrders } from '#api/orders/order-api.ts';
import { presentRefund } from '#api/orders/present/refund.ts';
import type { Payer } from '#api/orders/session.ts';
import type { StartRefund } from '#api/orders/start-refund.ts';
import { canAccessTenant, reachOf, requireTenantAccess } from '#api/orders/tenants.ts';
import { pageRequest } from '../page-request.ts';
import { authorOf } from './access.ts';
import { auditApproval } from './approvals.ts';
import { reachedOrder, staffOrder } from './orders.ts';

interface RefundDeps {
  database: Database;
  startRefund: StartRefund;
  /** The same where a run that gave up may still be ending. */
  restartRefund: StartRefund;
}

/** @throws OrderError 90200 if there is no such refund in reach. */
async function reachedRefund(database: Database, payer: Payer, refundId: string): Promise<Refund> {
  const refund = await findRefund(database, refundId);
  if (!refund || !(await canAccessTenant(database, payer, refund.tenantId))) throw new OrderError(90200);
  return refund;
}

/** @throws OrderError 90202 if the refund does not need staff. */
async function decide(
  { database }: RefundDeps,
  { refund, payer, body }: { refund: Refund; payer: Payer; body: ResolveRefund },
): Promise<void> {
  const by = { by: payer.userId, note: body.note };
  const audit = (transaction: Parameters<typeof recordAudit>[0]) =>
    recordAudit(transaction, {
      tenantId: refund.tenantId,
      author: authorOf(payer),
      action: 'refund.resolve',
      subject: { type: 'refund', id: refund.refundId },
      before: { status: refund.status, lastError: refund.lastError },
      after: { outcome: body.outcome, note: body.note },
    });
  const decided =
    body.outcome === 'retry'
      ? await retryRefund(database, refund, by, audit)
      : await confirmElsewhere(database, refund, by, audit);
  if (!decided) throw new OrderError(90202);
}

/** Refunds of completed orders, and refunds that the gateway rejects. */
export function refundRoutes(serve: ServeOrders, deps: RefundDeps): void {
  const { database, startRefund, restartRefund } = deps;

  serve(staffOrderOperations.refundOrder, {
    handle: async ({ actor: payer, params, body }) => {
      const { tenantId, paymentStatus, pointsStatus } = await reachedOrder(database, payer, params.id);
      const result = await requestRefund(
        database,
        { orderId: params.id, body, by: payer },
        async (transaction, decided) => {
          if (decided.kind === 'waits')
            await auditApproval(transaction, decided.approval, { outcome: 'request', author: authorOf(payer) });
          if (decided.kind !== 'accepted') return;
          await recordAudit(transaction, {
            tenantId,
            author: authorOf(payer),
            action: 'order.refund',
            subject: { type: 'order', id: params.id },
            before: { paymentStatus, pointsStatus },
            after: { ...presentRefund(decided.refund) },
          });
        },
      );
      if (result.kind === 'rejected') throw new OrderError(result.code);
      if (result.kind === 'malformed')
        throw new OrderError(90001, { errors: [{ path: result.path, message: result.message }] });
      if (result.kind === 'accepted' && result.refund.status === 'pending')
        await startRefund({ refundId: result.refund.refundId, orderId: params.id, tenantId });
      return staffOrder(database, payer, params.id);
    },
  });

  serve(staffOrderOperations.listRefunds, {
    handle: async ({ actor: payer, query: { tenantId, status, ...page } }) => {
      if (tenantId !== undefined) await requireTenantAccess(database, payer, tenantId);
      const search = { ...reachOf(payer), tenantId, status };
      return withOrderTitles(database, mapPage(await listRefunds(database, search, pageRequest(page)), presentRefund));
    },
  });

  serve(staffOrderOperations.resolveRefund, {
    handle: async ({ actor: payer, params, body }) => {
      const refund = await reachedRefund(database, payer, params.id);
      await decide(deps, { refund, payer, body });
      const { refundId, orderId, tenantId } = refund;
      if (body.outcome === 'retry') await restartRefund({ refundId, orderId, tenantId });
      return presentRefund(await reachedRefund(database, payer, params.id));
    },
  });
}
