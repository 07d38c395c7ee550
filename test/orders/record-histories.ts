import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import protocol from '@temporalio/proto';
import { payOrderWorkflowId } from '../../workflows/contracts/orders/pay-order.ts';
import { refundWorkflowId } from '../../workflows/contracts/orders/refund-charge.ts';
import { eventually } from '../support/time/eventually.ts';
import { startCuttingProxy } from './support/cutting-proxy.ts';
import { type PayReply, startOrdersService } from './support/orders-service.ts';
import { payWithin, shopping } from './support/shop.ts';
import { historyText } from '../../scripts/capture/histories.ts';

/**
 * Records a history of each branch of payOrder and refundCharge for the replay test, some of them still open: `node
 * --import tsx test/orders/record-histories.ts`. Run it again only for a change that is meant to be incompatible.
 */
const folder = new URL('../histories/', import.meta.url);
let proxy: Awaited<ReturnType<typeof startCuttingProxy>> | undefined;
const service = await startOrdersService({
  databaseUrl: async (url) => (proxy = await startCuttingProxy(url)).url,
});
const shop = shopping(service);
const { gateway } = service;
const TTL_MS = 1500;

async function save(file: string, workflowId: string): Promise<void> {
  const history = await service.client.workflow.getHandle(workflowId).fetchHistory();
  const plain = protocol.temporal.api.history.v1.History.toObject(
    protocol.temporal.api.history.v1.History.create(history),
    {
      longs: String,
      bytes: String,
      enums: String,
    },
  );
  const target = new URL(`${file}.json`, folder);
  mkdirSync(dirname(target.pathname), { recursive: true });
  writeFileSync(target, historyText(workflowId, plain));
  process.stdout.write(`${file}: ${history.events?.length} events\n`);
}

/** The history of a payment that has ended, once its workflow has ended, too. */
async function saveClosed(name: string, { orderId }: { orderId: string }): Promise<void> {
  const workflowId = payOrderWorkflowId(orderId);
  await service.client.workflow.getHandle(workflowId).result();
  await save(`pay-order/${name}`, workflowId);
}

const saveOpen = (name: string, { orderId }: { orderId: string }) =>
  save(`pay-order/${name}`, payOrderWorkflowId(orderId));

const ordered = () => shop.create('shop', { grossMoneyAmount: 10, moneyAmount: 9, pointsPlan: { walletPoints: 4 } });

const payFor = (order: PayReply['data'], ttlMs: number) => payWithin(ttlMs, order, service.launcher);

const faultOnce = (operation: string, fault: ReturnType<typeof gateway.state.fault>) => {
  gateway.state.fault = (call) => {
    if (call.operation !== operation) return undefined;
    gateway.state.fault = () => undefined;
    return fault;
  };
};

async function flaggedOrder(): Promise<PayReply['data']> {
  const order = await ordered();
  await payFor(order, 600_000);
  const charge = gateway.chargeOf(order.orderNo);
  charge.status = 'paid';
  await gateway.callback(charge, { amount: 1 });
  await eventually('flagged', async () => (await shop.staffOrder(order, 'shop')).flags.length > 0);
  return order;
}

const branches: Record<string, () => Promise<void>> = {
  async closedWithoutGateway() {
    const free = await shop.create('shop', { pointsPlan: { tenantPoints: 3 } });
    await payFor(free, 600_000);
    await saveClosed('done-without-cash', free);
    const poor = await shop.create('shop', { pointsPlan: { districtPoints: 3 } });
    await payFor(poor, 600_000);
    await saveClosed('points-insufficient', poor);
  },
  async paid() {
    const order = await ordered();
    await payFor(order, 600_000);
    await saveOpen('open-waiting-for-payer', order);
    await gateway.pay(order.orderNo);
    await saveClosed('paid-by-callback', order);
  },
  async lostCallbacks() {
    const read = await ordered();
    await payFor(read, 600_000);
    await gateway.pay(read.orderNo, { lost: true });
    await shop.until(read, 'shop', '30/30/30');
    await saveClosed('paid-by-read', read);
    const again = await ordered();
    await payFor(again, 600_000);
    await gateway.pay(again.orderNo, { lost: true });
    await shop.pay(again, 'shop');
    await saveClosed('paid-by-repeated-pay', again);
  },
  async chargeOutcomes() {
    faultOnce('create', { response: [422, { code: 'shop_closed' }] });
    const rejected = await ordered();
    await shop.pay(rejected, 'shop');
    await saveClosed('charge-refused', rejected);
    faultOnce('create', { response: [401, {}] });
    const unreached = await ordered();
    await shop.pay(unreached, 'shop');
    await saveClosed('gateway-not-reached', unreached);
    gateway.state.fault = ({ operation }) => (operation === 'create' ? 'lost' : undefined);
    const lost = await ordered();
    const waiting = shop.pay(lost, 'shop');
    await eventually('sent', () => gateway.of('create').some(({ body }) => body['orderNo'] === lost.orderNo));
    await saveOpen('open-charge-unknown', lost);
    gateway.state.fault = () => undefined;
    await waiting;
    await gateway.pay(lost.orderNo);
    await saveClosed('charge-answer-lost', lost);
  },
  async expiry() {
    const expired = await ordered();
    await payFor(expired, TTL_MS);
    await saveClosed('expired', expired);
    const late = await ordered();
    await payFor(late, TTL_MS);
    faultOnce('cancel', {
      holdUntil: Promise.resolve().then(() => void (gateway.chargeOf(late.orderNo).status = 'paid')),
    });
    await saveClosed('expired-but-paid', late);
    const releasing = await ordered();
    let letGo: () => void = () => undefined;
    faultOnce('cancel', { holdUntil: new Promise<void>((done) => (letGo = done)) });
    await payFor(releasing, TTL_MS);
    await eventually('cancelling', () =>
      gateway.of('cancel').some(({ chargeId }) => chargeId === gateway.chargeOf(releasing.orderNo).chargeId),
    );
    await saveOpen('open-releasing', releasing);
    letGo();
  },
  async cancels() {
    const order = await ordered();
    await payFor(order, 600_000);
    await shop.cancel(order, 'shop');
    await saveClosed('cancelled-by-payer', order);
    const byStaff = await ordered();
    await payFor(byStaff, 600_000);
    await service.client.workflow.getHandle(payOrderWorkflowId(byStaff.orderId)).cancel();
    await shop.until(byStaff, 'shop', '60/40/40');
    await saveClosed('workflow-cancelled', byStaff);
  },
  async flags() {
    const order = await flaggedOrder();
    await saveOpen('open-flagged', order);
    await shop.resolve(order, 'shop', 'complete');
    await saveClosed('flagged-completed', order);
    const unpaid = await flaggedOrder();
    gateway.chargeOf(unpaid.orderNo).status = 'pending';
    await shop.resolve(unpaid, 'shop', 'complete');
    await saveOpen('open-flagged-not-paid', unpaid);
    await shop.resolve(unpaid, 'shop', 'refund');
    await saveClosed('flagged-never-paid', unpaid);
    const back = await flaggedOrder();
    await shop.resolve(back, 'shop', 'refund');
    await saveClosed('flagged-refunded', back);
  },
  async unknownReservations() {
    const written = await ordered();
    proxy?.arm('after-commit', 'open-payment');
    await shop.pay(written, 'shop');
    await shop.until(written, 'shop', '20/10/10');
    await shop.cancel(written, 'shop');
    await saveClosed('reservation-unknown-written', written);
    const lost = await ordered();
    proxy?.arm('before-commit', 'open-payment');
    await shop.pay(lost, 'shop');
    await shop.until(lost, 'shop', '0/0/0');
    await saveClosed('reservation-unknown-lost', lost);
  },
  async refunds() {
    const order = await ordered();
    await payFor(order, TTL_MS);
    await shop.until(order, 'shop', '50/40/40');
    gateway.state.fault = ({ operation }) => (operation === 'refund' ? { response: [503, {}] } : undefined);
    await gateway.pay(order.orderNo, { late: true });
    const { chargeId } = gateway.chargeOf(order.orderNo);
    await eventually('refunding', () => gateway.of('refund').some((call) => call.chargeId === chargeId));
    await save('refund-charge/open-refunding', refundWorkflowId(chargeId));
    gateway.state.fault = () => undefined;
    await shop.until(order, 'shop', '50/40/60');
    await service.client.workflow.getHandle(refundWorkflowId(chargeId)).result();
    await save('refund-charge/confirmed', refundWorkflowId(chargeId));
  },
};

await shop.putTenant('shop');
await shop.grant('shop', 'wallet', 1000);
await shop.grant('shop', 'tenant', 1000);
for (const record of Object.values(branches)) await record();
await service.stop();
await proxy?.stop();
process.exit(0);
