import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { collectHistories, writeHistories } from '#scripts/capture/histories.ts';
import { reconcileWorkflowId } from '#workflows/contracts/orders/reconcile-charges.ts';
import { missingDaysWorkflowId } from '#workflows/contracts/orders/reconcile-shops.ts';
import { withLock } from '#db/provision.ts';
import { eventually } from '../support/time/eventually.ts';
import { startOrdersService } from './support/orders-service.ts';
import { ok, shopping, staff } from './support/shop.ts';

/**
 * Records histories of the workflows that compare and check, closed and open, for the replay test: `node --import tsx
 * test/orders/record-checks.ts` adds each path that no recording has taken yet.
 */
const folder = fileURLToPath(new URL('../histories', import.meta.url));
const recorded = ['reconcileCharges', 'reconcileShops', 'checkLedger'];
const service = await startOrdersService();
const shop = shopping(service);
const { gateway, client } = service;

const start = (type: string, input: object, workflowId: string = randomUUID()) =>
  client.workflow.start(type, { taskQueue: 'orders', workflowId, args: [input] });
const compare = (date: string, more: object = {}) =>
  start('reconcileCharges', { tenantId: 'shop', date, ...more }, reconcileWorkflowId({ tenantId: 'shop', date }));
const activityRuns = (workflowId: string) =>
  eventually(`${workflowId} is at an activity`, async () => {
    const { raw } = await client.workflow.getHandle(workflowId).describe();
    return (raw.pendingActivities ?? []).length > 0;
  });

function listPaid(count: number, at: string): void {
  for (let number = 0; number < count; number += 1) {
    const chargeId = `ch-${at}-${number}`;
    const what = { status: 'paid' as const, amount: 1, currency: 'TWD', shopId: 'paygw-shop', orderNo: chargeId };
    const times = { createdAt: at, paidAt: at, expiresAt: at };
    gateway.charges.set(chargeId, { chargeId, ...what, ...times, callbackURL: '', refundedAmount: 0 });
  }
}

const refuseLists = (): void => {
  gateway.state.fault = ({ operation }) => (operation === 'list' ? { response: [503, {}] } : undefined);
};

await shop.putTenant('shop');
listPaid(230, '2026-01-10T10:00:00Z');
await (await compare('2026-01-09')).result();
await (await compare('2026-01-10')).result();
const late = await shop.create('shop', { grossMoneyAmount: 10, moneyAmount: 10 });
ok(await shop.payUntilKnown(late, 'shop'));
ok(await shop.cancel(late, 'shop'));
await gateway.pay(late.orderNo, { late: true, lost: true });
await (await compare(new Date().toISOString().slice(0, 10))).result();
await (await start('reconcileShops', { date: '2026-01-11' })).result();
refuseLists();
await (await compare('2026-01-12', { patienceMs: 200 })).result().catch(() => undefined);
await (await start('reconcileShops', { date: '2026-01-13', patienceMs: 200 })).result();
gateway.state.fault = () => undefined;
ok(await service.post('/admin/reconciliation', {}, staff('shop')));
await client.workflow.getHandle(missingDaysWorkflowId('shop')).result();
refuseLists();
ok(await service.post('/admin/reconciliation', { date: '2026-01-14' }, staff('shop')));
await start('reconcileShops', { date: '2026-01-12' });
for (const date of ['2026-01-14', '2026-01-12']) await activityRuns(reconcileWorkflowId({ tenantId: 'shop', date }));
await (await start('checkLedger', {})).result();
const found = await withLock(service.ownerUrl, async (owner) => {
  // The check waits for as long as its table is locked.
  await owner.query('begin');
  await owner.query('lock table orders.ledger_entry in access exclusive mode');
  await activityRuns((await start('checkLedger', {})).workflowId);
  return eventually('all of them are listed', async () => {
    const histories = (await collectHistories(client)).filter(({ type }) => recorded.includes(type));
    return new Set(histories.map(({ type, state }) => `${type} ${state}`)).size === 2 * recorded.length && histories;
  });
});
process.stdout.write(`${JSON.stringify(writeHistories(folder, found))}\n`);
await service.stop();
process.exit(0);
