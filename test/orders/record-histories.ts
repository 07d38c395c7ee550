import { refundWorkflowId } from '#workflows/contracts/orders/refund-charge.ts';
import { eventually } from '../support/time/eventually.ts';
import { degradedPayments } from './recording/degraded.ts';
import { startRecording } from './recording/recording.ts';
import type { PayReply } from './support/orders-service.ts';

/**
 * Records a history of each branch of payOrder and refundCharge for the replay test, some of them still open: `node
 * --import tsx test/orders/record-histories.ts` adds those that are missing. With names of branches as arguments, these
 * are recorded anew, which is right only if no run from before the change can still be alive.
 */
const wanted = process.argv.slice(2);
const recording = await startRecording({ replaces: wanted.length > 0 });
const { service, shop, gateway, proxy, run, save, saveClosed, saveOpen, ordered, payFor, faulty } = recording;
const TTL_MS = 1500;

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
  ...degradedPayments(recording),
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
    faulty('create', { response: [422, { code: 'shop_closed' }] });
    const rejected = await ordered();
    await shop.pay(rejected, 'shop');
    await saveClosed('charge-refused', rejected);
    faulty('create', { response: [401, {}] });
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
    faulty('cancel', {
      holdUntil: Promise.resolve().then(() => void (gateway.chargeOf(late.orderNo).status = 'paid')),
    });
    await saveClosed('expired-but-paid', late);
    const releasing = await ordered();
    let letGo: () => void = () => undefined;
    faulty('cancel', { holdUntil: new Promise<void>((done) => (letGo = done)) });
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
    await run(byStaff).cancel();
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
    proxy()?.arm('after-commit', 'open-payment');
    await shop.pay(written, 'shop');
    await shop.until(written, 'shop', '20/10/10');
    await shop.cancel(written, 'shop');
    await saveClosed('reservation-unknown-written', written);
    const lost = await ordered();
    proxy()?.arm('before-commit', 'open-payment');
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

const unknown = wanted.filter((name) => !Object.hasOwn(branches, name));
if (unknown.length > 0)
  throw new Error(`There is no ${unknown.join(', ')}; there are ${Object.keys(branches).join(', ')}`);
await shop.putTenant('shop');
await shop.grant('shop', 'wallet', 1000);
await shop.grant('shop', 'tenant', 1000);
for (const [name, record] of Object.entries(branches)) if (wanted.length === 0 || wanted.includes(name)) await record();
await recording.stop();
process.exit(0);
