import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { findDriftingOrders } from '#db/orders/books/cash-check.ts';
import { rows } from '#db/database.ts';
import { recordRefundReport } from '#db/orders/events/refund-reports.ts';
import { CHARGE_REFUNDED } from '#domain/orders/event-types.ts';
import { useOrders } from '#test/support/fixtures/orders.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { comparing, today } from '../support/comparing.ts';
import type { FakeCharge } from '../support/fake-gateway.ts';
import { ok, staff } from '../support/shop.ts';

const cash = { grossMoneyAmount: 100, moneyAmount: 100 };

interface Refund {
  refundId: string;
  origin: string;
  kind: string;
  gatewayRefundId: string | null;
  amount: number;
  status: string;
  needsStaff: boolean;
}

interface Shown {
  refunds: Refund[];
  refundable: number;
  flags: string[];
  events: { eventId: string; type: string; status: string }[];
}

describe('refunds at the gateway’s desk', function () {
  this.timeout(180_000);
  const shop = useOrders({ tenants: { shop: {}, other: {} }, points: { wallet: 1000 } });
  const { compare, charge: foreign, ...orders } = comparing(shop);

  beforeEach(() => {
    shop.gateway.state.fault = () => undefined;
  });

  const shown = async (order: { orderId: string }) => (await shop.staffOrder(order, 'shop')) as unknown as Shown;
  const told = async (...given: Parameters<typeof shop.gateway.reportRefund>) =>
    expect((await shop.gateway.reportRefund(...given)).status).to.equal(200);
  const asked = ({ chargeId }: FakeCharge) => shop.gateway.of('refund').filter((call) => call.chargeId === chargeId);
  const eventStatus = async (eventId: string) =>
    ((await shop.database('gateway_event').where({ event_id: eventId }).first()) as { status: string }).status;
  const settled = (eventId: string) =>
    eventually('the report is settled', async () => (await eventStatus(eventId)) === 'settled');
  const unmatched = async (tenantId = 'shop') =>
    (
      ok(await shop.request('GET', '/admin/callbacks/unmatched?limit=200', undefined, staff(tenantId)))
        .data as unknown as { items: { eventId: string }[] }
    ).items.map(({ eventId }) => eventId);
  /** Points are for staff to give back, and the books fit. */
  async function sound(order: { orderId: string }) {
    const { drifting } = await findDriftingOrders(shop.database, { after: '', limit: 1000 });
    expect(drifting.filter(({ orderId }) => orderId === order.orderId)).to.deep.equal([]);
  }
  const balance = async (order: { orderId: string }, account: string) =>
    (
      await rows<{ minor: number }>(
        shop.database,
        'select coalesce(sum(amount_minor), 0)::bigint as minor from cash_entry where order_id = :orderId and account = :account',
        { ...order, account },
      )
    )[0]?.minor;

  it('a part is booked once, however often and by whatever it is told', async () => {
    const { order, charge } = await orders.paid();
    const refund = shop.gateway.refundAtDesk(charge, 40);
    const ids = ['a', 'b', 'c'].map((id) => `${id}-${charge.chargeId}`);
    await Promise.all(ids.map((eventId) => told(charge, refund, { eventId })));
    await shop.until(order, 'shop', '30/30/70');
    for (const eventId of ids) await settled(eventId);
    await told(charge, refund, { eventId: ids[0] });
    await compare(today());
    const { refunds, refundable } = await shown(order);
    expect(refunds).to.have.length(1);
    expect(refunds[0]).to.deep.include({
      origin: 'gateway',
      gatewayRefundId: refund.refundId,
      amount: 40,
      status: 'confirmed',
    });
    expect(refundable).to.equal(60);
    expect(asked(charge)).to.deep.equal([]);
    await sound(order);
    expect(await balance(order, 'sales')).to.equal(-6000);
    ok(await shop.post(`/admin/orders/${order.orderId}/refund`, { reason: 'rest', key: 'rest' }, staff('shop')));
    await shop.until(order, 'shop', '30/30/60');
    expect(asked(charge).map(({ body }) => body['amount'])).to.deep.equal([60]);
    await sound(order);
  });

  it('all of it ends at 30/30/60 with one event for the merchant', async () => {
    ok(await shop.request('PUT', '/admin/tenants/shop/webhook', { url: 'http://127.0.0.1:9/' }, staff('shop')));
    const { order, charge } = await orders.paid();
    const refund = shop.gateway.refundAtDesk(charge);
    const about = { orderNo: order.orderNo, shopId: 'paygw-shop', currency: 'TWD', refundedAt: refund.refundedAt };
    await told(charge, refund, about);
    await shop.until(order, 'shop', '30/30/60');
    await told(charge, refund);
    const events = await shop.database('merchant_event').where({ order_id: order.orderId, type: 'refund.succeeded' });
    const [{ refundId } = { refundId: '' }] = (await shown(order)).refunds;
    expect(
      events.map(({ body }) => (JSON.parse(body as string) as { data: { refund: object } }).data.refund),
    ).to.deep.equal([{ refundId, chargeId: charge.chargeId, amount: 100, origin: 'gateway' }]);
    await sound(order);
  });

  it('an echo of our own refund books nothing beside it, and confirms it where the answer was lost', async () => {
    const { order, charge } = await orders.paid();
    // The refund is made, and no answer to it ever arrives.
    shop.gateway.state.fault = ({ operation }) => (operation === 'refund' ? 'lost' : undefined);
    ok(await shop.post(`/admin/orders/${order.orderId}/refund`, { amount: 30, reason: 'r', key: 'k' }, staff('shop')));
    const made = await eventually('it was made', () => charge.refunds?.[0]);
    await told(charge, made, { eventId: `echo-${charge.chargeId}` });
    await shop.until(order, 'shop', '30/30/70');
    shop.gateway.state.fault = () => undefined;
    await told(charge, made);
    await compare(today());
    const { refunds, refundable } = await shown(order);
    expect(refunds.map(({ origin, gatewayRefundId, amount }) => [origin, gatewayRefundId, amount])).to.deep.equal([
      ['service', made.refundId, 30],
    ]);
    expect(refundable).to.equal(70);
    await sound(order);
  });

  it('a refund that an answer has named is ours also where the report names no key', async () => {
    const { order, charge } = await orders.paid();
    ok(await shop.post(`/admin/orders/${order.orderId}/refund`, { amount: 30, reason: 'r', key: 'k' }, staff('shop')));
    await shop.until(order, 'shop', '30/30/70');
    const { refundId = '', amount = 0 } = charge.refunds?.[0] ?? {};
    const eventId = `nameless-${charge.chargeId}`;
    await told(charge, { refundId, amount, refundedAt: '' }, { eventId });
    await settled(eventId);
    expect((await shown(order)).refunds).to.have.length(1);
  });

  it('what the charge does not show is not booked; it is asked again, and after 24 h it is unmatched', async () => {
    const { order, charge } = await orders.paid();
    const lagging = { refundId: `re-${randomUUID()}`, amount: 40, refundedAt: '' };
    const eventId = `early-${charge.chargeId}`;
    await told(charge, lagging, { eventId });
    const reads = shop.gateway.of('read').length;
    await eventually('the charge was read', () => shop.gateway.of('read').length > reads + 1);
    expect(await eventStatus(eventId)).to.equal('stored');
    expect((await shown(order)).refunds).to.deep.equal([]);
    charge.refundedAmount = 40;
    await shop.until(order, 'shop', '30/30/70');
    const never = `never-${charge.chargeId}`;
    await told(charge, { ...lagging, refundId: 'another', amount: 1 }, { eventId: never });
    await shop
      .database('gateway_event')
      .where({ event_id: never })
      .update({ received_at: new Date(Date.now() - 90_000_000) });
    expect(await shop.activities.bookReportedRefund({ eventId: never })).to.equal('needs_staff');
    expect(await unmatched()).to.include(never);
    expect((await shown(order)).refundable).to.equal(60);
  });

  it('a part that went back before we knew of the payment: 30/30/70; all of it: 40/40/60, and nothing is left in the books', async () => {
    const part = await orders.pending();
    await shop.gateway.pay(part.order.orderNo, { lost: true });
    await told(part.charge, shop.gateway.refundAtDesk(part.charge, 25));
    await shop.until(part.order, 'shop', '30/30/70');
    await sound(part.order);

    const order = await shop.create('shop', { ...cash, moneyAmount: 99, pointsPlan: { walletPoints: 4 } });
    const before = await shop.points('shop');
    ok(await shop.payUntilKnown(order, 'shop'));
    const charge = shop.gateway.chargeOf(order.orderNo);
    await shop.gateway.pay(order.orderNo, { lost: true });
    const eventId = `all-${charge.chargeId}`;
    await told(charge, shop.gateway.refundAtDesk(charge), { eventId });
    await shop.until(order, 'shop', '40/40/60');
    await settled(eventId);
    expect(await shop.points('shop')).to.deep.equal(before);
    expect(
      (await shown(order)).refunds.map(({ kind, origin, status, amount }) => [kind, origin, status, amount]),
    ).to.deep.equal([['unaccepted', 'gateway', 'confirmed', 99]]);
    expect(asked(charge)).to.deep.equal([]);
    for (const account of ['gateway', 'refunds', 'receivable', 'sales'])
      expect(await balance(order, account), account).to.equal(0);
    await sound(order);
    // The payment is told of only now.
    await shop.gateway.callback(charge);
    expect(await shop.item(order, 'shop')).to.include({ orderStatus: 40, pointsStatus: 40, paymentStatus: 60 });
    expect((await shown(order)).refunds).to.have.length(1);
  });

  it('late money that went back at the desk counts as its refund, and is not refunded again', async () => {
    const { order, charge } = await orders.pending();
    ok(await shop.cancel(order, 'shop'));
    await shop.gateway.pay(order.orderNo, { late: true, lost: true });
    await told(charge, shop.gateway.refundAtDesk(charge));
    await shop.until(order, 'shop', '60/0/60');
    expect((await shown(order)).refunds.map(({ refundId, status }) => [refundId, status])).to.deep.equal([
      [charge.chargeId, 'confirmed'],
    ]);
    expect(asked(charge)).to.deep.equal([]);
    await sound(order);
  });

  it('late money of which a part went back at the desk: we give back the rest, and it counts as one refund', async () => {
    const { order, charge } = await orders.pending();
    ok(await shop.cancel(order, 'shop'));
    shop.gateway.state.fault = ({ operation }) => (operation === 'refund' ? { response: [503, {}] } : undefined);
    await shop.gateway.pay(order.orderNo, { late: true });
    await eventually('it was asked for', () => asked(charge).length > 0);
    const part = shop.gateway.refundAtDesk(charge, 40);
    shop.gateway.state.fault = () => undefined;
    await shop.until(order, 'shop', '60/0/60');
    expect([charge.refundedAmount, asked(charge).at(-1)?.body]).to.deep.equal([100, { amount: 60 }]);
    await told(charge, part, { eventId: `part-${charge.chargeId}` });
    await settled(`part-${charge.chargeId}`);
    const { refunds } = await shown(order);
    expect(refunds.map(({ amount, status }) => [amount, status])).to.deep.equal([[100, 'confirmed']]);
    await sound(order);
  });

  it('ours for more than is left needs staff and is never asked for; done_elsewhere ends it', async () => {
    const { order, charge } = await orders.paid();
    shop.gateway.state.fault = ({ operation }) => (operation === 'refund' ? { response: [503, {}] } : undefined);
    ok(await shop.post(`/admin/orders/${order.orderId}/refund`, { reason: 'r', key: 'k' }, staff('shop')));
    await eventually('it was asked for', () => asked(charge).length > 0);
    const times = asked(charge).length;
    await told(charge, shop.gateway.refundAtDesk(charge, 40));
    const stuck = await eventually('it needs staff', async () =>
      (await shown(order)).refunds.find(({ needsStaff }) => needsStaff),
    );
    await eventually('the other is booked', async () => (await shown(order)).refunds.length === 2);
    shop.gateway.state.fault = () => undefined;
    expect((await shown(order)).refundable).to.equal(0);
    await sound(order);
    const run = shop.client.workflow.getHandle(`refund:${stuck.refundId}`);
    expect(await run.result()).to.equal('needs_staff');
    // A request may have been under way when the other refund was made.
    expect(asked(charge).length - times).to.be.at.most(1);
    expect(charge.refundedAmount).to.equal(40);
    const decision = { outcome: 'done_elsewhere', note: 'by bank' };
    ok(await shop.post(`/admin/refunds/${stuck.refundId}/resolve`, decision, staff('shop')));
    await shop.until(order, 'shop', '30/30/60');
    const { refunds } = await shown(order);
    expect(refunds.reduce((sum, { amount }) => sum + amount, 0)).to.equal(100);
    expect(await balance(order, 'sales')).to.equal(0);
    await sound(order);
  });

  it('a refund that nobody told of is booked where ours cannot be made beside it, which is then for the rest', async () => {
    const { order, charge } = await orders.paid();
    const untold = shop.gateway.refundAtDesk(charge, 40);
    ok(await shop.post(`/admin/orders/${order.orderId}/refund`, { reason: 'r', key: 'k' }, staff('shop')));
    const refunds = await eventually('both are known', async () => {
      const found = (await shown(order)).refunds;
      return found.length === 2 && found.some(({ needsStaff }) => needsStaff) && found;
    });
    expect(refunds.map(({ origin, amount, gatewayRefundId }) => [origin, amount, gatewayRefundId])).to.deep.equal([
      ['service', 60, null],
      ['gateway', 40, untold.refundId],
    ]);
    const stuck = refunds.find(({ needsStaff }) => needsStaff);
    const retry = { outcome: 'retry', note: 'the rest' };
    ok(await shop.post(`/admin/refunds/${stuck?.refundId}/resolve`, retry, staff('shop')));
    await shop.until(order, 'shop', '30/30/60');
    expect(asked(charge).map(({ body }) => body)).to.deep.equal([{ amount: 60 }]);
    await told(charge, untold);
    await compare(today());
    expect((await shown(order)).refunds).to.have.length(2);
    await sound(order);
  });

  it('a report whose workflow was lost is booked by the sweep', async () => {
    const { order, charge } = await orders.paid();
    const { refundId, amount } = shop.gateway.refundAtDesk(charge, 5);
    const about = { eventId: randomUUID(), chargeId: charge.chargeId, refundId, amount };
    const report = { ...about, type: CHARGE_REFUNDED } as const;
    await recordRefundReport(shop.database, report, JSON.stringify(report));
    await shop.activities.driveOrders({ now: new Date(Date.now() + 31_000).toISOString() });
    await shop.until(order, 'shop', '30/30/70');
  });

  it('what contradicts its charge, or is about an unknown one, is unmatched and books nothing', async () => {
    const { order, charge } = await orders.paid();
    const refund = shop.gateway.refundAtDesk(charge, 10);
    const wrong = { orderNo: { orderNo: 'another' }, shopId: { shopId: 'paygw-other' }, currency: { currency: 'USD' } };
    for (const [name, changes] of Object.entries(wrong))
      await told(charge, refund, { eventId: `${name}-${charge.chargeId}`, ...changes });
    await told(charge, { ...refund, amount: 1.005 }, { eventId: `amount-${charge.chargeId}` });
    for (const name of ['orderNo', 'currency', 'amount'])
      expect(await unmatched()).to.include(`${name}-${charge.chargeId}`);
    const stranger = { ...charge, chargeId: 'of nobody' };
    await told(stranger, refund, { eventId: 'stranger', shopId: 'paygw-other' });
    expect(await unmatched('other')).to.include.members([`shopId-${charge.chargeId}`, 'stranger']);
    expect((await shown(order)).refunds).to.deep.equal([]);
    const body = JSON.stringify({ eventId: 'e', type: 'charge.refunded', chargeId: charge.chargeId, ...refund });
    const headers = { 'content-type': 'application/json', 'x-gateway-signature': `t=1,v1=${'0'.repeat(64)}` };
    expect((await fetch(charge.callbackURL, { method: 'POST', headers, body })).status).to.equal(401);
  });

  it('money of an unknown order that went back is not unmatched any more', async () => {
    const stranger = foreign({ callbackURL: `${shop.base}/payment-gateway/callback` });
    const eventId = `paid-${stranger.chargeId}`;
    await shop.gateway.callback(stranger, { eventId });
    expect(await unmatched()).to.include(eventId);
    await told(stranger, shop.gateway.refundAtDesk(stranger));
    await eventually('it is decided', async () => !(await unmatched()).includes(eventId));
    const refund = await shop.database('refund').where({ refund_id: stranger.chargeId }).first();
    expect(refund).to.include({ status: 'confirmed', origin: 'gateway', orderId: null });
    expect(asked(stranger)).to.deep.equal([]);
  });

  it('the comparison of the day finds and books what nobody told; a gateway without the list compares charges alone', async () => {
    const { order, charge } = await orders.paid();
    const refund = shop.gateway.refundAtDesk(charge, 40);
    const { items } = await compare(today());
    expect(items.filter(({ chargeId }) => chargeId === charge.chargeId)).to.deep.equal([
      {
        kind: 'refunded_there_only',
        chargeId: charge.chargeId,
        refundId: refund.refundId,
        orderId: order.orderId,
        ours: null,
        theirs: 40,
        mended: true,
      },
    ]);
    await shop.until(order, 'shop', '30/30/70');
    const again = await compare(today());
    expect(again.items.filter(({ chargeId }) => chargeId === charge.chargeId)).to.deep.equal([]);
    shop.gateway.refundAtDesk(charge, 10);
    shop.gateway.state.fault = ({ operation }) => (operation === 'refunds' ? { response: [404, {}] } : undefined);
    const alone = await compare(today());
    expect(alone.items.filter(({ chargeId }) => chargeId === charge.chargeId).map(({ kind }) => kind)).to.deep.equal([
      'amount_differs',
    ]);
    expect((await shown(order)).refunds).to.have.length(1);
  });
});
