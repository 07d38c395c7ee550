import { expect } from 'chai';
import { rows } from '#db/database.ts';
import { useOrders } from '#test/support/fixtures/orders.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { ok, staff, triple } from '../support/shop.ts';

const cash = { grossMoneyAmount: 100, moneyAmount: 100 };
const withPoints = { ...cash, moneyAmount: 99, pointsPlan: { walletPoints: 4 } };

interface Shown {
  flags: string[];
  received: { chargeId: string; amount: number; currency: string; at: string } | null;
  refunds: unknown[];
}

describe('decisions of staff about flagged orders and unmatched money', function () {
  this.timeout(180_000);
  const shop = useOrders({ points: { wallet: 10_000 }, tenants: { shop: {}, other: {} } });

  beforeEach(() => {
    shop.gateway.state.fault = () => undefined;
  });

  const shown = async (order: { orderId: string }) => (await shop.staffOrder(order, 'shop')) as unknown as Shown;

  /** The callback reports 60 of 99; `really` is what the gateway's own record shows. */
  async function flagged(really: 'pending' | 'paid', amount = 99) {
    const order = await shop.create('shop', withPoints);
    ok(await shop.payUntilKnown(order, 'shop'));
    const charge = shop.gateway.chargeOf(order.orderNo);
    Object.assign(charge, { status: really, amount });
    await shop.gateway.callback(charge, { amount: 60 });
    await eventually('flagged', async () => (await shown(order)).flags.length > 0);
    return { order, charge };
  }

  it('B6: complete reads the charge first: not paid → 90206, and the order waits for another decision', async () => {
    const { order, charge } = await flagged('pending');
    expect(await shop.resolve(order, 'shop', 'complete')).to.include({ status: 409, code: 90206 });
    expect(triple(await shop.item(order, 'shop'))).to.equal('20/10/10');
    expect((await shown(order)).flags).to.deep.equal(['amount_mismatch']);
    Object.assign(charge, { status: 'paid', paidAt: new Date().toISOString() });
    expect(triple(ok(await shop.resolve(order, 'shop', 'complete')).data)).to.equal('30/30/30');
  });

  it('B6: what came is stored and shown: an underpayment does not disappear', async () => {
    const { order, charge } = await flagged('paid', 60);
    expect(triple(ok(await shop.resolve(order, 'shop', 'complete')).data)).to.equal('30/30/30');
    expect((await shown(order)).received).to.include({ chargeId: charge.chargeId, amount: 60, currency: 'TWD' });
    const refund = await shop.post(
      `/admin/orders/${order.orderId}/refund`,
      { amount: 61, reason: 'more than came', key: 'k' },
      staff('shop'),
    );
    expect(refund).to.include({ code: 90001 });
  });

  it('B6: refund cancels the charge first; never paid → 40/40/40, holds released, no refund', async () => {
    const before = await shop.points('shop');
    const { order, charge } = await flagged('pending');
    expect(triple(ok(await shop.resolve(order, 'shop', 'refund')).data)).to.equal('40/40/40');
    expect(charge.status).to.equal('cancelled');
    expect((await shown(order)).refunds).to.deep.equal([]);
    expect(shop.gateway.of('refund').filter(({ chargeId }) => chargeId === charge.chargeId)).to.deep.equal([]);
    expect(await shop.points('shop')).to.deep.equal(before);
  });

  it('B6: refund of money that came → 40/40/50, then 60', async () => {
    const { order, charge } = await flagged('paid', 60);
    expect(triple(ok(await shop.resolve(order, 'shop', 'refund')).data)).to.be.oneOf(['40/40/50', '40/40/60']);
    await shop.until(order, 'shop', '40/40/60');
    expect(charge).to.include({ status: 'refunded', refundedAmount: 60 });
  });

  it('a second, opposite decision is rejected (90202); the same one again is not', async () => {
    const { order } = await flagged('pending');
    shop.gateway.state.fault = ({ operation }) => (operation === 'cancel' ? { response: [503, {}] } : undefined);
    const first = shop.resolve(order, 'shop', 'refund');
    await eventually('the decision is stored', async () => {
      const found = await rows(
        shop.database,
        `select 1 from order_flag where order_id = :orderId and resolution = 'refund'`,
        { orderId: order.orderId },
      );
      return found.length > 0;
    });
    expect(await shop.resolve(order, 'shop', 'complete')).to.include({ status: 409, code: 90202 });
    shop.gateway.state.fault = () => undefined;
    await first;
    await shop.until(order, 'shop', '40/40/40');
  });

  it('the same eventId with another body is flagged; with the same content it is not', async () => {
    const order = await shop.create('shop', cash);
    ok(await shop.payUntilKnown(order, 'shop'));
    const charge = shop.gateway.chargeOf(order.orderNo);
    const eventId = `twice-${order.orderId}`;
    await shop.gateway.callback(charge, { eventId, paidAt: '2026-11-22T10:00:00Z' });
    await shop.gateway.callback(charge, { eventId, paidAt: '2026-11-22T10:00:01Z' });
    expect((await shown(order)).flags).to.deep.equal([]);
    await shop.gateway.callback(charge, { eventId, amount: 1 });
    expect((await shown(order)).flags).to.deep.equal(['event_conflict']);
    charge.status = 'paid';
    expect(triple(ok(await shop.resolve(order, 'shop', 'complete')).data)).to.equal('30/30/30');
    await shop.gateway.callback(charge, { eventId, amount: 2 });
    expect((await shown(order)).flags).to.deep.equal([]);
  });

  const unmatched = async (tenantId = 'shop', query = '') =>
    ok(await shop.request('GET', `/admin/callbacks/unmatched${query}`, undefined, staff(tenantId))).data as unknown as {
      items: { eventId: string; type: string; status: string }[];
      nextCursor: string | null;
    };
  const stranger = (more: object = {}) => ({
    chargeId: `ch-${Math.random()}`,
    status: 'paid' as const,
    amount: 12,
    currency: 'TWD',
    shopId: 'paygw-shop',
    orderNo: 'nobody knows',
    callbackURL: `${shop.base}/payment-gateway/callback`,
    expiresAt: '',
    createdAt: new Date().toISOString(),
    refundedAmount: 0,
    ...more,
  });
  const decide = (eventId: string, outcome: string, tenantId = 'shop') =>
    shop.post(`/admin/callbacks/${eventId}/resolve`, { outcome, note: 'seen' }, staff(tenantId));

  it('B8: the list has only callbacks whose shop is the tenant’s, page by page, and other signed types', async () => {
    for (const eventId of ['u-1', 'u-2', 'u-3']) await shop.gateway.callback(stranger(), { eventId });
    await shop.gateway.callback(stranger(), { eventId: 'u-4', type: 'charge.disputed' });
    await shop.gateway.callback(stranger({ shopId: 'paygw-other' }), { eventId: 'u-other' });
    await shop.gateway.callback(stranger({ shopId: 'nobody' }), { eventId: 'u-nobody' });
    const first = await unmatched('shop', '?limit=2');
    expect(first.items.map(({ eventId }) => eventId)).to.deep.equal(['u-4', 'u-3']);
    expect(first.items[0]).to.include({ type: 'charge.disputed', status: 'ignored' });
    const rest = await unmatched('shop', `?cursor=${first.nextCursor}`);
    expect(rest.items.map(({ eventId }) => eventId)).to.deep.equal(['u-2', 'u-1']);
    expect(rest.nextCursor).to.equal(null);
    expect((await unmatched('other')).items.map(({ eventId }) => eventId)).to.deep.equal(['u-other']);
    expect(await decide('u-1', 'ignore', 'other')).to.include({ status: 404, code: 90200 });
  });

  it('B8: refund gives the money back, key refund:<chargeId>; ignore leaves it; each is decided once', async () => {
    const charge = stranger();
    shop.gateway.charges.set(charge.chargeId, charge);
    await shop.gateway.callback(charge, { eventId: 'u-back' });
    ok(await decide('u-back', 'refund'));
    await eventually('refunded', () => charge.status !== ('paid' as string));
    const keys = shop.gateway.of('refund').filter(({ chargeId }) => chargeId === charge.chargeId);
    expect(keys.map(({ idempotencyKey }) => idempotencyKey)).to.deep.equal([`refund:${charge.chargeId}`]);
    expect((await unmatched()).items.map(({ eventId }) => eventId)).not.to.include('u-back');
    expect(await decide('u-back', 'ignore')).to.include({ status: 409, code: 90202 });
    await shop.gateway.callback(stranger(), { eventId: 'u-left' });
    ok(await decide('u-left', 'ignore'));
    expect((await unmatched()).items.map(({ eventId }) => eventId)).not.to.include('u-left');
    await shop.gateway.callback(stranger(), { eventId: 'u-dispute', type: 'charge.disputed' });
    expect(await decide('u-dispute', 'refund')).to.include({ status: 409, code: 90202 });
    const audit = await rows<{ actor: string; subjectId: string; after: object }>(
      shop.database,
      `select * from audit_entry where action = 'callback.resolve' order by entry_id`,
      {},
    );
    expect(audit.map(({ actor, subjectId }) => [actor, subjectId])).to.deep.equal([
      ['s-1', 'u-back'],
      ['s-1', 'u-left'],
    ]);
  });

  const refunds = (query: string, tenantId = 'shop') =>
    shop.request('GET', `/admin/refunds?${query}`, undefined, staff(tenantId));
  const refundsOf = async (query: string, tenantId = 'shop') =>
    ok(await refunds(query, tenantId)).data as unknown as {
      items: { refundId: string; tenantId: string; orderId: string | null; needsStaff: boolean }[];
      nextCursor: string | null;
    };

  /** Money without an order that the gateway does not give back. */
  async function stuckRefund(shopId: string, tenantId: string) {
    const charge = stranger({ shopId });
    shop.gateway.charges.set(charge.chargeId, charge);
    await shop.gateway.callback(charge, { eventId: `stuck-${charge.chargeId}` });
    ok(await decide(`stuck-${charge.chargeId}`, 'refund', tenantId));
    await eventually('it needs staff', async () =>
      (await refundsOf('status=needs_staff', tenantId)).items.some(({ refundId }) => refundId === charge.chargeId),
    );
    return charge.chargeId;
  }

  it('B8: a refund of money without an order that needs staff is listed, newest first, page by page', async () => {
    await shop.putTenant('other', { headquartersTenantId: 'shop' });
    shop.gateway.state.fault = ({ operation }) =>
      operation === 'refund' ? { response: [422, { code: 'shop_closed' }] } : undefined;
    const older = await stuckRefund('paygw-shop', 'shop');
    const newer = await stuckRefund('paygw-other', 'other');
    const first = await refundsOf('status=needs_staff&limit=1');
    expect(first.items).to.have.length(1);
    expect(first.items[0]).to.include({
      refundId: newer,
      tenantId: 'other',
      orderId: null,
      chargeId: newer,
      kind: 'unaccepted',
      status: 'needs_staff',
      needsStaff: true,
      lastError: 'shop_closed',
      amount: 12,
      currency: 'TWD',
    });
    const second = await refundsOf(`status=needs_staff&limit=1&cursor=${first.nextCursor}`);
    expect(second.items.map(({ refundId }) => refundId)).to.deep.equal([older]);
    expect(second.nextCursor).to.equal(null);
    const ids = async (query: string, tenantId = 'shop') =>
      (await refundsOf(query, tenantId)).items.map(({ refundId }) => refundId);
    expect(await ids('status=needs_staff&tenantId=other')).to.deep.equal([newer]);
    expect(await ids('status=needs_staff', 'other')).to.deep.equal([newer]);
    expect(await ids('')).to.include.members([older, newer]);
    expect(await refunds('tenantId=shop', 'other')).to.include({ status: 403, code: 90003 });
    expect(await refunds('status=lost')).to.include({ status: 400, code: 90001 });
    expect(await refunds('cursor=foreign')).to.include({ status: 400, code: 90001 });
    ok(await shop.post(`/admin/refunds/${newer}/resolve`, { outcome: 'done_elsewhere', note: 'wire' }, staff('shop')));
    expect(await ids('status=needs_staff')).to.deep.equal([older]);
  });
});
