import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { findDriftingOrders } from '#db/orders/books/cash-check.ts';
import { recordDisputeReport } from '#db/orders/disputes/reports.ts';
import { rows } from '#db/database.ts';
import type { DisputeData } from '#domain/orders/administration/disputes.ts';
import { CHARGE_DISPUTED } from '#domain/orders/event-types.ts';
import { useOrders } from '#test/support/fixtures/orders.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { comparing, today } from '../support/comparing.ts';
import type { FakeCharge, FakeDispute } from '../support/fake-gateway.ts';
import { ok, staff } from '../support/shop.ts';

interface Shown {
  disputes: DisputeData[];
  refunds: { origin: string; kind: string; amount: number; status: string; chargeId: string; reason: string | null }[];
  refundable: number;
  flags: string[];
  needsStaff: boolean;
  underReview: boolean;
  ledger: { movement: string; kind: string; bucket: string; amount: number }[];
}

describe('disputes', function () {
  this.timeout(180_000);
  const shop = useOrders({ tenants: { shop: {}, other: {} }, points: { wallet: 1000 } });
  const { compare, charge: foreign, ...orders } = comparing(shop);

  beforeEach(() => {
    shop.gateway.state.fault = () => undefined;
  });

  type Order = { orderId: string; orderNo: string };
  const shown = async (order: Order) => (await shop.staffOrder(order, 'shop')) as unknown as Shown;
  const told = async (...given: Parameters<typeof shop.gateway.reportDispute>) =>
    expect((await shop.gateway.reportDispute(...given)).status).to.equal(200);
  const toldEnd = async (...given: Parameters<typeof shop.gateway.reportClosure>) =>
    expect((await shop.gateway.reportClosure(...given)).status).to.equal(200);
  const asked = ({ chargeId }: FakeCharge) => shop.gateway.of('refund').filter((call) => call.chargeId === chargeId);
  const eventStatus = async (eventId: string) =>
    ((await shop.database('gateway_event').where({ event_id: eventId }).first()) as { status: string }).status;
  const becomes = (eventId: string, status: string) =>
    eventually(`the report is ${status}`, async () => (await eventStatus(eventId)) === status);
  /** The order afterwards: its row is read before its disputes are. */
  async function statusBecomes(order: Order, status: string): Promise<Shown> {
    await eventually(`the dispute is ${status}`, async () => (await shown(order)).disputes[0]?.status === status);
    return shown(order);
  }
  const refund = (order: Order, body: object) =>
    shop.post(`/admin/orders/${order.orderId}/refund`, { reason: 'r', key: randomUUID(), ...body }, staff('shop'));
  const list = async (query = '', tenantId = 'shop') =>
    ok(await shop.request('GET', `/admin/disputes${query}`, undefined, staff(tenantId))).data as unknown as {
      items: DisputeData[];
      nextCursor: string | null;
    };
  const merchantEvents = async ({ orderId }: Order) =>
    (await shop.database('merchant_event').where({ order_id: orderId }).orderBy('sequence')).map(
      ({ type, body }: { type: string; body: string }) => ({
        type,
        refund: (JSON.parse(body) as { data: { refund?: { amount: number; origin: string } } }).data.refund,
      }),
    );
  const attention = async () =>
    ok(await shop.request('GET', '/admin/attention', undefined, staff('shop'))).data as unknown as { orders: number };

  /** The cash in an account, as staff's ledger shows it. */
  const inBucket = ({ ledger }: Shown, bucket: string) =>
    ledger
      .filter((entry) => entry.kind === 'cash' && entry.bucket === bucket)
      .reduce((sum, { amount }) => sum + amount, 0);

  /** The books fit, and the entries of every movement sum to zero. */
  async function sound(order: Order): Promise<Shown> {
    const { drifting } = await findDriftingOrders(shop.database, { after: '', limit: 1000 });
    expect(drifting.filter(({ orderId }) => orderId === order.orderId)).to.deep.equal([]);
    const details = await shown(order);
    const sums = new Map<string, number>();
    for (const { movement, kind, amount } of details.ledger)
      if (kind === 'cash') sums.set(movement, (sums.get(movement) ?? 0) + amount);
    expect([...sums].filter(([, sum]) => sum !== 0)).to.deep.equal([]);
    return details;
  }

  async function disputed(amount = 40): Promise<{ order: Order; charge: FakeCharge; dispute: FakeDispute }> {
    const { order, charge } = await orders.paid();
    const dispute = shop.gateway.dispute(charge, amount);
    await told(charge, dispute);
    await statusBecomes(order, 'open');
    return { order, charge, dispute };
  }

  async function won(order: Order, charge: FakeCharge, dispute: FakeDispute): Promise<void> {
    shop.gateway.winDispute(charge, dispute);
    await toldEnd(charge, dispute, { outcome: 'won' });
    await eventually('it is won', async () =>
      (await shown(order)).disputes.some(
        ({ disputeId, status }) => disputeId === dispute.disputeId && status === 'won',
      ),
    );
  }

  it('an open dispute is booked once, however often and however parallel it is told, and stands apart from what can be refunded', async () => {
    ok(await shop.request('PUT', '/admin/tenants/shop/webhook', { url: 'http://127.0.0.1:9/' }, staff('shop')));
    const { order, charge } = await orders.paid();
    const before = (await attention()).orders;
    const dispute = shop.gateway.dispute(charge, 40);
    const openedAt = '2026-11-20T08:00:00.000Z';
    const about = { orderNo: order.orderNo, shopId: 'paygw-shop', currency: 'TWD', openedAt };
    const ids = ['a', 'b', 'c'].map((id) => `${id}-${charge.chargeId}`);
    await Promise.all(ids.map((eventId) => told(charge, dispute, { eventId, ...about })));
    for (const eventId of ids) await becomes(eventId, 'settled');
    await told(charge, dispute, { eventId: ids[0], ...about });
    const late = `late-${charge.chargeId}`;
    await told(charge, dispute, { eventId: late });
    expect(await eventStatus(late)).to.equal('settled');
    const details = await sound(order);
    const { disputeId, reason, dueAt } = dispute;
    expect(details.disputes).to.deep.equal([
      {
        disputeId,
        orderId: order.orderId,
        orderNo: order.orderNo,
        tenantId: 'shop',
        chargeId: charge.chargeId,
        amount: 40,
        currency: 'TWD',
        reason,
        dueAt,
        status: 'open',
        openedAt,
        closedAt: null,
        needsStaff: false,
        notes: [],
      },
    ]);
    expect(details).to.deep.include({ flags: ['disputed'], needsStaff: false, underReview: false, refundable: 60 });
    expect([inBucket(details, 'disputed'), inBucket(details, 'gateway')]).to.deep.equal([40, 60]);
    expect(await shop.item(order, 'shop')).to.include({ orderStatus: 30, pointsStatus: 30, paymentStatus: 30 });
    expect((await attention()).orders).to.equal(before + 1);
    expect((await merchantEvents(order)).filter(({ type }) => type === 'order.flagged')).to.have.length(1);
    for (const outcome of ['complete', 'refund'] as const)
      expect((await shop.resolve(order, 'shop', outcome)).code).to.equal(90202);
    expect((await shown(order)).flags).to.deep.equal(['disputed']);
  });

  it('a refund while a dispute is open takes no more than the rest, and the rest where no amount is named', async () => {
    const { order, charge, dispute } = await disputed();
    expect((await refund(order, { amount: 60.01 })).code).to.equal(90001);
    ok(await refund(order, {}));
    await shop.until(order, 'shop', '30/30/70');
    expect(asked(charge).map(({ body }) => body['amount'])).to.deep.equal([60]);
    expect((await refund(order, {})).code).to.equal(90001);
    expect((await sound(order)).refundable).to.equal(0);
    await toldEnd(charge, dispute, { outcome: 'lost' });
    await shop.until(order, 'shop', '30/30/60');
    await sound(order);
  });

  it('an approval for more than the rest lapses', async () => {
    const approver = { userId: 's-2', tenantId: 'shop', roles: ['order_admin', 'tenant_admin'] };
    const limit = (above: number | null) =>
      shop.request('PATCH', '/admin/tenants/shop', { refundsNeedApprovalAbove: above }, approver);
    ok(await limit(1));
    const { order, charge } = await orders.paid();
    ok(await refund(order, { amount: 70 }));
    await told(charge, shop.gateway.dispute(charge, 40));
    await statusBecomes(order, 'open');
    const { approvals } = (await shown(order)) as unknown as { approvals: { status: string }[] };
    expect(approvals.map(({ status }) => status)).to.deep.equal(['lapsed']);
    ok(await limit(null));
  });

  it('won: the money returns, and the flag ends', async () => {
    const { order, charge, dispute } = await disputed();
    const closedAt = '2026-11-21T08:00:00.000Z';
    shop.gateway.winDispute(charge, dispute);
    const id = `won-${charge.chargeId}`;
    await Promise.all(
      [id, `${id}-2`].map((eventId) => toldEnd(charge, dispute, { outcome: 'won', closedAt, eventId })),
    );
    await statusBecomes(order, 'won');
    const details = await sound(order);
    expect(details).to.deep.include({ flags: [], refundable: 100, needsStaff: false, refunds: [] });
    expect(details.disputes[0]?.closedAt).to.equal(closedAt);
    expect([inBucket(details, 'disputed'), inBucket(details, 'gateway')]).to.deep.equal([0, 100]);
    // The first outcome stays.
    const later = `later-${charge.chargeId}`;
    await toldEnd(charge, dispute, { outcome: 'lost', eventId: later });
    expect(await eventStatus(later)).to.equal('unmatched');
    await toldEnd(charge, dispute, { outcome: 'won', eventId: `again-${charge.chargeId}` });
    expect((await shown(order)).disputes.map(({ status }) => status)).to.deep.equal(['won']);
    expect(await eventStatus(`again-${charge.chargeId}`)).to.equal('settled');
    ok(await refund(order, { amount: 100 }));
    await shop.until(order, 'shop', '30/30/60');
    await sound(order);
  });

  it('lost: it counts as refunded, with one event, and neither points nor goods return', async () => {
    await shop.putGoods('tea', 'shop', { stock: 5 });
    const order = await shop.create('shop', {
      grossMoneyAmount: 10,
      moneyAmount: 9,
      items: [{ goodsId: 'tea', qty: 1 }],
      pointsPlan: { walletPoints: 4 },
    });
    ok(await shop.payUntilKnown(order, 'shop'));
    const charge = shop.gateway.chargeOf(order.orderNo);
    await shop.gateway.pay(order.orderNo);
    await shop.until(order, 'shop', '30/30/30');
    const points = await shop.points('shop');
    const part = shop.gateway.dispute(charge, 4);
    await told(charge, part);
    await statusBecomes(order, 'open');
    await toldEnd(charge, part, { outcome: 'lost' });
    await shop.until(order, 'shop', '30/30/70');
    const first = await sound(order);
    expect(first).to.deep.include({ flags: [], refundable: 5, needsStaff: false });
    expect(
      first.refunds.map(({ origin, kind, amount, status, reason }) => [origin, kind, amount, status, reason]),
    ).to.deep.equal([['dispute', 'staff', 4, 'confirmed', 'fraudulent']]);
    const rest = shop.gateway.dispute(charge, 5);
    await told(charge, rest);
    await toldEnd(charge, rest, { outcome: 'lost' });
    await shop.until(order, 'shop', '30/30/60');
    const details = await sound(order);
    expect([inBucket(details, 'disputed'), inBucket(details, 'gateway'), inBucket(details, 'refunds')]).to.deep.equal([
      0, 0, 0,
    ]);
    expect(
      (await merchantEvents(order)).flatMap(({ refund: money }) => (money ? [[money.amount, money.origin]] : [])),
    ).to.deep.equal([
      [4, 'dispute'],
      [5, 'dispute'],
    ]);
    expect(await shop.points('shop')).to.deep.equal(points);
    expect(await shop.database('goods').where({ goods_id: 'tea' }).first()).to.include({ stock: 4 });
    expect(asked(charge)).to.deep.equal([]);
  });

  it('an end that is told first is kept, and takes effect once the dispute is told; the first one counts', async () => {
    for (const outcome of ['won', 'lost'] as const) {
      const { order, charge } = await orders.paid();
      const dispute = shop.gateway.dispute(charge, 40);
      if (outcome === 'won') shop.gateway.winDispute(charge, dispute);
      const ids = ['end', 'other', 'repeated'].map((id) => `${id}-${charge.chargeId}`);
      await toldEnd(charge, dispute, { outcome, eventId: ids[0] });
      await toldEnd(charge, dispute, { outcome: outcome === 'won' ? 'lost' : 'won', eventId: ids[1] });
      await toldEnd(charge, dispute, { outcome, eventId: ids[2] });
      expect(await Promise.all(ids.map(eventStatus))).to.deep.equal(['stored', 'unmatched', 'settled']);
      await told(charge, dispute);
      const details = await statusBecomes(order, outcome);
      expect(details.flags).to.deep.equal([]);
      expect(details.refundable).to.equal(outcome === 'won' ? 100 : 60);
      await shop.until(order, 'shop', outcome === 'won' ? '30/30/30' : '30/30/70');
      expect(await eventStatus(ids[0] ?? '')).to.equal('settled');
      await toldEnd(charge, dispute, { outcome, eventId: ids[0] });
      expect((await sound(order)).flags).to.deep.equal([]);
    }
  });

  it('a dispute before the payment’s callback is booked once the order has the money', async () => {
    const { order, charge } = await orders.pending();
    await shop.gateway.pay(order.orderNo, { lost: true });
    await told(charge, shop.gateway.dispute(charge, 25));
    await shop.until(order, 'shop', '30/30/30');
    const details = await statusBecomes(order, 'open');
    expect(details.refundable).to.equal(75);
    await sound(order);
  });

  it('lost after a full refund: nothing is left to book, and it needs staff until they note something', async () => {
    const { order, charge } = await orders.paid();
    ok(await refund(order, {}));
    await shop.until(order, 'shop', '30/30/60');
    const dispute = shop.gateway.dispute(charge, 100);
    await told(charge, dispute);
    expect((await statusBecomes(order, 'open')).needsStaff).to.equal(true);
    await toldEnd(charge, dispute, { outcome: 'lost' });
    const details = await statusBecomes(order, 'lost');
    expect(details).to.deep.include({ needsStaff: true, flags: [], refundable: 0 });
    expect(details.refunds).to.have.length(1);
    await shop.until(order, 'shop', '30/30/60');
    await sound(order);
    const path = `/admin/disputes/${dispute.disputeId}/note`;
    const noted = await shop.post(path, { text: ' Asked the bank ' }, staff('shop'));
    expect(noted.status).to.equal(201);
    expect(ok(noted).data).to.deep.include({ disputeId: dispute.disputeId, needsStaff: false });
    expect((await shown(order)).needsStaff).to.equal(false);
  });

  it('what is claimed above the rest is booked as far as it reaches; what another one frees is held for it', async () => {
    const { order, charge, dispute } = await disputed(70);
    const second = shop.gateway.dispute(charge, 50);
    await told(charge, second);
    await eventually('both are open', async () => (await shown(order)).disputes.length === 2);
    const both = await sound(order);
    expect(both).to.deep.include({ refundable: 0, needsStaff: true });
    expect(inBucket(both, 'disputed')).to.equal(100);
    await won(order, charge, dispute);
    const freed = await sound(order);
    expect(freed).to.deep.include({ refundable: 50, needsStaff: false, flags: ['disputed'] });
    await toldEnd(charge, second, { outcome: 'lost' });
    await shop.until(order, 'shop', '30/30/70');
    expect((await sound(order)).refundable).to.equal(50);
  });

  it('a refund at the desk goes before what is only disputed, and never above what is not lost yet', async () => {
    const { order, charge, dispute } = await disputed(40);
    const desk = shop.gateway.refundAtDesk(charge, 80);
    expect((await shop.gateway.reportRefund(charge, desk)).status).to.equal(200);
    await shop.until(order, 'shop', '30/30/70');
    const details = await sound(order);
    expect(details).to.deep.include({ refundable: 0, needsStaff: true });
    expect(inBucket(details, 'disputed')).to.equal(20);
    await toldEnd(charge, dispute, { outcome: 'lost' });
    await shop.until(order, 'shop', '30/30/60');
    const above = shop.gateway.refundAtDesk(charge, 10);
    const eventId = `above-${charge.chargeId}`;
    await shop.gateway.reportRefund(charge, above, { eventId });
    await becomes(eventId, 'unmatched');
    expect((await sound(order)).refunds.reduce((sum, { amount }) => sum + amount, 0)).to.equal(100);
  });

  it('what the charge does not show is not booked; it is asked again, and after 24 h it is unmatched', async () => {
    const { order, charge } = await orders.paid();
    charge.disputedAmount = 0;
    const dueAt = new Date().toISOString();
    const lagging = { disputeId: `dp-${randomUUID()}`, amount: 40, reason: 'fraudulent', dueAt };
    const eventId = `early-${charge.chargeId}`;
    await told(charge, lagging, { eventId });
    const reads = shop.gateway.of('read').length;
    await eventually('the charge was read', () => shop.gateway.of('read').length > reads + 1);
    expect(await eventStatus(eventId)).to.equal('stored');
    expect(await shown(order)).to.deep.include({ disputes: [], flags: [], refundable: 100 });
    charge.disputedAmount = 40;
    await statusBecomes(order, 'open');
    const never = `never-${charge.chargeId}`;
    await told(charge, { ...lagging, disputeId: 'another', amount: 1 }, { eventId: never });
    await shop
      .database('gateway_event')
      .where({ event_id: never })
      .update({ received_at: new Date(Date.now() - 90_000_000) });
    expect(await shop.activities.bookReportedRefund({ eventId: never })).to.equal('needs_staff');
    expect(await eventStatus(never)).to.equal('unmatched');
  });

  it('a report whose workflow was lost is booked by the sweep', async () => {
    const { order, charge } = await orders.paid();
    const report = {
      eventId: randomUUID(),
      type: CHARGE_DISPUTED,
      chargeId: charge.chargeId,
      ...shop.gateway.dispute(charge, 5),
    } as const;
    await recordDisputeReport(shop.database, report, JSON.stringify(report));
    await shop.activities.driveOrders({ now: new Date(Date.now() + 31_000).toISOString() });
    await statusBecomes(order, 'open');
  });

  it('what contradicts its charge, or is about an unknown one, is unmatched and books nothing; another currency flags the order', async () => {
    const { order, charge } = await orders.paid();
    const dispute = shop.gateway.dispute(charge, 10);
    const wrong = { orderNo: { orderNo: 'another' }, shopId: { shopId: 'paygw-other' }, amount: { amount: 1.005 } };
    for (const [name, changes] of Object.entries(wrong)) {
      await told(charge, dispute, { eventId: `${name}-${charge.chargeId}`, ...changes });
      expect(await eventStatus(`${name}-${charge.chargeId}`), name).to.equal('unmatched');
    }
    expect((await shown(order)).flags).to.deep.equal([]);
    const currency = `currency-${charge.chargeId}`;
    await told(charge, dispute, { eventId: currency, currency: 'USD' });
    expect(await eventStatus(currency)).to.equal('unmatched');
    expect(await sound(order)).to.deep.include({ disputes: [], flags: ['currency_mismatch'], refundable: 100 });
    const unknown = `unknown-${charge.chargeId}`;
    await told({ ...charge, chargeId: 'of nobody' }, dispute, { eventId: unknown, orderNo: order.orderNo });
    expect(await eventStatus(unknown)).to.equal('unmatched');
    const stranger = foreign({ callbackURL: `${shop.base}/payment-gateway/callback` });
    await shop.gateway.callback(stranger);
    await told(stranger, dispute, { eventId: `${unknown}-2` });
    expect(await eventStatus(`${unknown}-2`)).to.equal('unmatched');
    expect((await shown(order)).disputes).to.deep.equal([]);
    // The same dispute of another charge, or over another amount, is not the same.
    await told(charge, dispute);
    await statusBecomes(order, 'open');
    await told(charge, { ...dispute, amount: 11 }, { eventId: `more-${charge.chargeId}` });
    expect(await eventStatus(`more-${charge.chargeId}`)).to.equal('unmatched');
    const mismatched = `end-${charge.chargeId}`;
    await toldEnd(charge, dispute, { outcome: 'lost', eventId: mismatched, currency: 'USD' });
    expect(await eventStatus(mismatched)).to.equal('unmatched');
    expect((await shown(order)).disputes.map(({ status }) => status)).to.deep.equal(['open']);
    const body = JSON.stringify({ eventId: 'e', type: 'charge.disputed', chargeId: charge.chargeId, ...dispute });
    const headers = { 'content-type': 'application/json', 'x-gateway-signature': `t=1,v1=${'0'.repeat(64)}` };
    expect((await fetch(charge.callbackURL, { method: 'POST', headers, body })).status).to.equal(401);
  });

  it('late money that is disputed while it goes back holds nothing and needs staff', async () => {
    const { order, charge } = await orders.pending();
    ok(await shop.cancel(order, 'shop'));
    await shop.gateway.pay(order.orderNo, { late: true });
    await shop.until(order, 'shop', '60/0/60');
    await told(charge, shop.gateway.dispute(charge, 100));
    expect(await statusBecomes(order, 'open')).to.deep.include({ needsStaff: true, flags: ['disputed'] });
    await sound(order);
  });

  it('late money of which a part was lost goes back without it; while that is disputed, the refund waits for staff', async () => {
    const { order, charge } = await orders.pending();
    ok(await shop.cancel(order, 'shop'));
    shop.gateway.state.fault = ({ operation }) => (operation === 'refund' ? { response: [503, {}] } : undefined);
    await shop.gateway.pay(order.orderNo, { late: true });
    await eventually('it was asked for', () => asked(charge).length > 0);
    const dispute = shop.gateway.dispute(charge, 30);
    await told(charge, dispute);
    await statusBecomes(order, 'open');
    shop.gateway.state.fault = () => undefined;
    await eventually('the refund needs staff', async () =>
      (await shown(order)).refunds.some(({ status }) => status === 'needs_staff'),
    );
    expect(charge.refundedAmount).to.equal(0);
    await toldEnd(charge, dispute, { outcome: 'lost' });
    await statusBecomes(order, 'lost');
    const retry = { outcome: 'retry', note: 'it is decided' };
    ok(await shop.post(`/admin/refunds/${charge.chargeId}/resolve`, retry, staff('shop')));
    await shop.until(order, 'shop', '60/0/60');
    expect([charge.refundedAmount, asked(charge).at(-1)?.body]).to.deep.equal([70, { amount: 70 }]);
    expect(inBucket(await sound(order), 'gateway')).to.equal(0);
  });

  it('a refund of ours that the gateway has no money for any more needs staff, and is not asked for', async () => {
    const { order, charge } = await orders.paid();
    shop.gateway.state.fault = ({ operation }) => (operation === 'refund' ? { response: [503, {}] } : undefined);
    ok(await refund(order, { amount: 80 }));
    await eventually('it was asked for', () => asked(charge).length > 0);
    await told(charge, shop.gateway.dispute(charge, 40));
    const details = await statusBecomes(order, 'open');
    expect(details).to.deep.include({ refundable: 0, needsStaff: true });
    expect(inBucket(await sound(order), 'disputed')).to.equal(20);
    shop.gateway.state.fault = () => undefined;
    await eventually('the refund needs staff', async () =>
      (await shown(order)).refunds.some(({ status }) => status === 'needs_staff'),
    );
    expect(charge.refundedAmount).to.equal(0);
    await sound(order);
  });

  it('the comparison of the day knows what is disputed, and says what nobody told', async () => {
    const { order, charge, dispute } = await disputed();
    const found = async () =>
      (await compare(today())).items
        .filter(({ chargeId }) => chargeId === charge.chargeId)
        .map(({ kind, ours, theirs }) => [kind, ours, theirs]);
    expect(await found()).to.deep.equal([]);
    ok(await refund(order, { amount: 10 }));
    await shop.until(order, 'shop', '30/30/70');
    await toldEnd(charge, dispute, { outcome: 'lost' });
    await statusBecomes(order, 'lost');
    expect(await found()).to.deep.equal([]);
    const untold = shop.gateway.dispute(charge, 20);
    expect(await found()).to.deep.equal([['amount_differs', 50, 30]]);
    await told(charge, untold);
    await eventually('it is booked', async () => (await shown(order)).disputes.length === 2);
    expect(await found()).to.deep.equal([]);
  });

  it('staff read and note those of their tenants, page by page, newest first', async () => {
    const first = await disputed(1);
    const second = await disputed(2);
    const { items } = await list('?status=open&limit=200');
    const ids = items.map(({ disputeId }) => disputeId);
    expect(ids.indexOf(second.dispute.disputeId)).to.be.lessThan(ids.indexOf(first.dispute.disputeId));
    expect(items.every(({ status }) => status === 'open')).to.equal(true);
    const { items: page, nextCursor } = await list('?limit=1&tenantId=shop');
    expect(page.map(({ disputeId }) => disputeId)).to.deep.equal([second.dispute.disputeId]);
    const next = await list(`?limit=1&cursor=${nextCursor}`);
    expect(next.items.map(({ disputeId }) => disputeId)).to.deep.equal([first.dispute.disputeId]);
    expect((await list('', 'other')).items).to.deep.equal([]);
    expect((await shop.request('GET', '/admin/disputes?tenantId=shop', undefined, staff('other'))).code).to.equal(
      90003,
    );
    expect((await shop.request('GET', '/admin/disputes?status=all', undefined, staff('shop'))).code).to.equal(90001);
    const path = `/admin/disputes/${first.dispute.disputeId}/note`;
    expect((await shop.post(path, { text: 'x' }, staff('other'))).code).to.equal(90200);
    expect((await shop.post('/admin/disputes/none/note', { text: 'x' }, staff('shop'))).code).to.equal(90200);
    for (const text of ['', '  ', 'x'.repeat(2001), undefined])
      expect((await shop.post(path, { text }, staff('shop'))).code).to.equal(90001);
    ok(await shop.post(path, { text: 'Evidence sent' }, staff('shop')));
    ok(await shop.post(path, { text: 'x'.repeat(2000) }, staff('shop')));
    const [noted] = (await shown(first.order)).disputes;
    expect(noted?.notes.map(({ author, authorName, text }) => [author, authorName, text.slice(0, 13)])).to.deep.equal([
      ['s-1', 'A payer', 'xxxxxxxxxxxxx'],
      ['s-1', 'A payer', 'Evidence sent'],
    ]);
    const audited = await rows(
      shop.database,
      `select tenant_id, actor, after from audit_entry where action = 'dispute.note' and subject_id = :id order by at limit 1`,
      { id: first.dispute.disputeId },
    );
    expect(audited).to.deep.equal([{ tenantId: 'shop', actor: 's-1', after: { note: 'Evidence sent' } }]);
  });
});
