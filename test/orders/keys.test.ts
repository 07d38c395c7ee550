import { expect } from 'chai';
import { keyActor } from '#domain/keys/actor.ts';
import { eventually } from '../support/time/eventually.ts';
import { useOrders } from '../support/fixtures/orders.ts';
import type { PayReply } from './support/orders-service.ts';
import { ok, staff, tenantAdmin } from './support/shop.ts';

const cash = { grossMoneyAmount: 100, moneyAmount: 100 };

describe('a program with an API key', function () {
  this.timeout(180_000);
  const shop = useOrders({
    tenants: { shop: {}, limited: { refundsNeedApprovalAbove: 50 }, member: {} },
    keyCallsPerMinute: 40,
  });

  const create = (key: string, body: object, headers: Record<string, string> = {}): Promise<PayReply> =>
    shop.request('POST', '/user/order/create', body, { key }, headers);
  const refundsOf = async (order: { orderId: string }, tenantId: string) =>
    ok(await shop.request('GET', `/admin/orders/${order.orderId}`, undefined, staff(tenantId))).data as unknown as {
      refunds: { amount: number; requestedBy: string; status: string }[];
      approvals: { approvalId: string; status: string; requestedBy: string }[];
      createdBy: string | null;
      payerName: string | null;
      userId: string;
    };
  const auditOf = (tenantId: string, actor: string) =>
    shop.database('audit_entry').where({ tenant_id: tenantId, actor }).orderBy('entry_id').pluck('action');
  async function paid(tenantId: string) {
    const order = await shop.create(tenantId, cash);
    ok(await shop.payUntilKnown(order, tenantId));
    await shop.gateway.pay(order.orderNo);
    await shop.until(order, tenantId, '30/30/30');
    return order;
  }

  it('creates, pays and cancels for a payer, whose order it is', async () => {
    const { text: key, keyId } = shop.makeKey('shop', ['payers:create']);
    const body = { tenantId: 'shop', ...cash, userId: 'ann', payerName: 'Ann' };
    const once = { 'idempotency-key': 'order-1' };
    const order = ok(await create(key, body, once)).data;
    expect(ok(await create(key, body, once)).data.orderId).to.equal(order.orderId);
    expect((await create(key, { ...body, title: 'another' }, once)).code).to.equal(90205);
    // Of another payer, the same key is another order.
    expect(ok(await create(key, { ...body, userId: 'bob' }, once)).data.orderId).not.to.equal(order.orderId);

    const shown = await refundsOf(order, 'shop');
    expect(shown).to.deep.include({ createdBy: keyActor(keyId), userId: 'ann', payerName: 'Ann' });
    expect((await shop.item(order, 'shop', 'ann')).orderId).to.equal(order.orderId);
    const at = (path: string) => `/user/order/${order.orderId}/${path}`;
    const named = { tenantId: 'shop', userId: 'ann' };
    expect((await shop.post(at('pay'), { ...named, userId: 'bob' }, { key })).code).to.equal(90200);
    ok(await shop.post(at('pay'), named, { key }));
    expect(shop.gateway.chargeOf(order.orderNo).amount).to.equal(100);
    await shop.gateway.pay(order.orderNo);
    await shop.until(order, 'shop', '30/30/30', 'ann');
    const listed = ok(await shop.post('/user/order/list', named, { key })).data as unknown as { items: object[] };
    expect(listed.items).to.have.length(1);

    const second = ok(await create(key, body, { 'idempotency-key': 'order-2' })).data;
    ok(await shop.post(`/user/order/${second.orderId}/cancel`, named, { key }));
    expect((await shop.item(second, 'shop', 'ann')).orderStatus).to.equal(60);
  });

  it('names the payer and a key for repetitions, and no tenant but its own', async () => {
    const { text: key } = shop.makeKey('shop', ['payers:create']);
    const once = { 'idempotency-key': 'x' };
    const nobody = await create(key, { tenantId: 'shop', ...cash }, once);
    expect([nobody.code, nobody.errors?.[0]?.path]).to.deep.equal([90001, '/userId']);
    const long = await create(key, { tenantId: 'shop', ...cash, userId: 'u'.repeat(201) }, once);
    expect(long.code).to.equal(90001);
    const unkeyed = await create(key, { tenantId: 'shop', ...cash, userId: 'ann' });
    expect([unkeyed.code, unkeyed.errors?.[0]?.path]).to.deep.equal([90001, 'header/idempotency-key']);
    expect((await create(key, { tenantId: 'limited', ...cash, userId: 'ann' }, once)).code).to.equal(90003);
    const own = await shop.create('limited', cash, 'ann');
    const item = { tenantId: 'limited', orderId: own.orderId, userId: 'ann' };
    expect((await shop.post('/user/order/item', item, { key })).code).to.equal(90200);
    expect((await shop.post('/user/order/list', item, { key })).code).to.equal(90003);
    for (const path of ['/user/points', '/user/coupons'])
      expect((await shop.post(path, item, { key })).code, path).to.equal(90003);
  });

  it('is not what a person can be: theirs is the own order, whomever the body names', async () => {
    const body = { tenantId: 'shop', ...cash, userId: 7, payerName: { no: 'name' } };
    const order = ok(await shop.post('/user/order/create', body, { userId: 'u-1', name: 'Una' })).data;
    expect(await refundsOf(order, 'shop')).to.deep.include({ userId: 'u-1', payerName: 'Una', createdBy: null });
    const asAnn = { tenantId: 'shop', orderId: order.orderId, userId: 'u-1' };
    expect((await shop.post('/user/order/item', asAnn, { userId: 'ann' })).code).to.equal(90200);
  });

  it('refunds, as itself in the audit log', async () => {
    const order = await paid('shop');
    const { text: key, keyId } = shop.makeKey('shop', ['orders:refund']);
    ok(await shop.post(`/admin/orders/${order.orderId}/refund`, { amount: 10, reason: 'x', key: 'a' }, { key }));
    await shop.until(order, 'shop', '30/30/70');
    expect(shop.gateway.chargeOf(order.orderNo).refundedAmount).to.equal(10);
    expect((await refundsOf(order, 'shop')).refunds[0]?.requestedBy).to.equal(keyActor(keyId));
    expect(await auditOf('shop', keyActor(keyId))).to.deep.equal(['order.refund']);
  });

  it('waits for a person above the refund limit, to which the refunds of all keys add up', async () => {
    const order = await paid('limited');
    const [one, two] = [shop.makeKey('limited', ['orders:refund']), shop.makeKey('limited', ['orders:refund'])];
    const refund = (key: string, name: string) =>
      shop.post(`/admin/orders/${order.orderId}/refund`, { amount: 30, reason: 'x', key: name }, { key });
    const given = () => shop.gateway.chargeOf(order.orderNo).refundedAmount;
    expect((await refund(one.text, 'a')).status).to.equal(202);
    await shop.until(order, 'limited', '30/30/70');
    const second = await refund(two.text, 'b');
    expect(second.status).to.equal(202);
    const { approvals } = await refundsOf(order, 'limited');
    expect(approvals.map(({ status, requestedBy }) => [status, requestedBy])).to.deep.equal([
      ['waiting', keyActor(two.keyId)],
    ]);
    const resolve = `/admin/approvals/${approvals[0]?.approvalId}/resolve`;
    for (const outcome of ['approve', 'withdraw'])
      for (const { text: key } of [one, two])
        expect((await shop.post(resolve, { outcome }, { key })).code).to.equal(90003);
    expect(given()).to.equal(30);
    ok(await shop.post(resolve, { outcome: 'approve' }, tenantAdmin('limited')));
    await eventually('the money is given back', () => Promise.resolve(given() === 60));
    expect(await auditOf('limited', keyActor(two.keyId))).to.include('approval.request');
  });

  it('reaches no member of its headquarters', async () => {
    await shop.putTenant('member', { headquartersTenantId: 'shop' });
    const order = await shop.create('member', cash);
    const { text: key } = shop.makeKey('shop', ['orders:read', 'points:read', 'catalogue:read']);
    const of = (path: string, as: object) => shop.request('GET', path, undefined, as);
    ok(await of(`/admin/orders/${order.orderId}`, staff('shop')));
    expect((await of(`/admin/orders/${order.orderId}`, { key })).code).to.equal(90200);
    expect((await of('/admin/points?tenantId=member&userId=u-1', { key })).code).to.equal(90003);
    expect((await of('/admin/goods?tenantId=member', { key })).code).to.equal(90003);
    expect((await of('/admin/refunds?tenantId=member', { key })).code).to.equal(90003);
    const ids = async (as: object) =>
      ((await of('/admin/orders?limit=200', as)).data as unknown as { items: { orderId: string }[] }).items.map(
        ({ orderId }) => orderId,
      );
    expect(await ids(staff('shop'))).to.include(order.orderId);
    expect(await ids({ key })).not.to.include(order.orderId);
  });

  it('may call so often and no more, and is refused in the audit log', async () => {
    const { text: key, keyId } = shop.makeKey('shop', ['points:read']);
    const codes: number[] = [];
    for (let call = 0; call < 42; call += 1)
      codes.push((await shop.request('GET', '/admin/attention', undefined, { key })).code);
    expect(codes.slice(0, 40).every((code) => code === 90003)).to.equal(true);
    expect(codes.slice(40)).to.deep.equal([90029, 90029]);
    const other = shop.makeKey('shop', ['orders:read']);
    ok(await shop.request('GET', '/admin/attention', undefined, { key: other.text }));
    await shop.refusals.close();
    expect(await auditOf('shop', keyActor(keyId))).to.include('access.refuse');
  });
});
