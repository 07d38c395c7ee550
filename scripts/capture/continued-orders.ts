import { rows } from '#db/database.ts';
import { eventually } from '#test/support/time/eventually.ts';
import type { OrdersService } from '#test/orders/support/orders-service.ts';
import { ok, shopping } from '#test/orders/support/shop.ts';
import { payOrderWorkflowId } from '#workflows/contracts/orders/pay-order.ts';
import { reconcileWorkflowId } from '#workflows/contracts/orders/reconcile-charges.ts';

const cash = { grossMoneyAmount: 10, moneyAmount: 10 };

/** More charges than fit on two pages of the gateway's list. */
function listPaid({ gateway }: OrdersService, count: number, at: string): void {
  for (let number = 0; number < count; number += 1) {
    const chargeId = `ch-${number}`;
    const what = { status: 'paid' as const, amount: 1, currency: 'TWD', shopId: 'paygw-shop', orderNo: chargeId };
    const times = { createdAt: at, paidAt: at, expiresAt: at };
    gateway.charges.set(chargeId, { chargeId, ...what, ...times, callbackURL: '', refundedAmount: 0 });
  }
}

/** Payments that end in a continuation: paid by a callback, and cancelled; a third waits for its payer. */
async function playPayments(service: OrdersService): Promise<void> {
  const shop = shopping(service);
  const ended = async ({ orderId }: { orderId: string }) =>
    service.client.workflow.getHandle(payOrderWorkflowId(orderId)).result();
  const linked = async () => {
    const order = await shop.create('shop', cash);
    ok(await shop.payUntilKnown(order, 'shop'));
    return order;
  };
  const paid = await linked();
  await service.gateway.pay(paid.orderNo);
  await ended(paid);
  const cancelled = await linked();
  ok(await shop.cancel(cancelled, 'shop'));
  await ended(cancelled);
  const open = await linked();
  await service.launcher.resumePayment({ orderId: open.orderId, tenantId: 'shop', attempt: 1 });
  await eventually('it waits for its payer in a continuation', async () => {
    const query = `WorkflowId = '${payOrderWorkflowId(open.orderId)}' and ExecutionStatus = 'ContinuedAsNew'`;
    return (await service.client.workflow.count(query)).count > 0;
  });
}

/** Every workflow of orders that can continue as new does so: for a server that suggests it after a few events. */
export async function playContinuedOrders(service: OrdersService): Promise<void> {
  const shop = shopping(service);
  await shop.putTenant('shop');
  await playPayments(service);
  const start = (type: string, workflowId: string, input: object) =>
    service.client.workflow.execute(type, { taskQueue: 'orders', workflowId, args: [input] });
  const date = '2026-01-10';
  listPaid(service, 230, `${date}T10:00:00Z`);
  await start('reconcileCharges', reconcileWorkflowId({ tenantId: 'shop', date }), { tenantId: 'shop', date });
  await start('reconcileShops', 'compare', { date: '2026-01-11' });
  await rows(
    service.database,
    `insert into point_account (tenant_id, user_id, kind, granted, available, reserved, committed)
     select 'shop', 'u-' || n, 'wallet', 0, 0, 0, 0 from generate_series(1, 1001) as n`,
    {},
  );
  await start('checkLedger', 'check', {});
}
