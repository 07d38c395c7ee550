import { expect } from 'chai';
import { useOrders } from '#test/support/fixtures/orders.ts';
import { eventually } from '#test/support/time/eventually.ts';
import type { StaffOrderData } from '#domain/orders/responses.ts';
import { ok, staff } from '../support/shop.ts';

type Line = Pick<StaffOrderData['items'][number], 'lineId' | 'refundedQty' | 'qty'>;

describe('Refunds by line', function () {
  this.timeout(180_000);
  const shop = useOrders({
    points: { wallet: 10_000, tenant: 10_000 },
    tenants: { shop: {}, merchant: { businessType: 1 } },
  });
  const option = { paymentOptionId: 'o', name: 'DEFAULT', pointAmount: 0, cashAmount: 10 };

  before(async () => {
    await shop.putGoods('mug', 'shop', { stock: 100, paymentOptions: [{ ...option, pointAmount: 3 }] });
    await shop.putGoods('rate', 'shop', {
      pricingType: 'RATE_CONVERTED',
      paymentOptions: [{ ...option, cashAmount: 7 }],
    });
    await shop.putGoods('pool', 'merchant', { paymentOptions: [{ ...option, cashAmount: 5 }] });
    await shop.grant('merchant', 'tenant', 1000);
  });
  beforeEach(() => {
    shop.gateway.state.fault = () => undefined;
  });

  async function done(body: object, tenantId = 'shop') {
    const order = await shop.create(tenantId, body);
    ok(await shop.payUntilKnown(order, tenantId));
    await shop.gateway.pay(order.orderNo);
    await shop.until(order, tenantId, '30/30/30');
    return { order, charge: shop.gateway.chargeOf(order.orderNo) };
  }
  let serial = 0;
  const refund = (order: { orderId: string }, body: object, tenantId = 'shop') =>
    shop.post(
      `/admin/orders/${order.orderId}/refund`,
      { reason: 'broken', key: `k-${(serial += 1)}`, ...body },
      staff(tenantId),
    );
  const stored = async (order: { orderId: string }, tenantId = 'shop') =>
    (await shop.staffOrder(order, tenantId)) as unknown as StaffOrderData;
  const linesOf = (items: unknown): unknown =>
    (items as Line[]).map(({ lineId, qty, refundedQty }) => [lineId, qty, refundedQty]);
  const idsOf = async (order: { orderId: string }, tenantId = 'shop') =>
    (await stored(order, tenantId)).items.map(({ lineId }) => lineId);

  it('name lines of the same goods apart, and count pieces from the acceptance on, for staff and payer', async () => {
    const { order, charge } = await done({
      items: [
        { goodsId: 'mug', qty: 2 },
        { goodsId: 'mug', qty: 3 },
      ],
      pointsPlan: { tenantPoints: 15, walletPoints: 4 },
    });
    const [one = '', two = ''] = await idsOf(order);
    expect(one).not.to.equal(two);
    shop.gateway.state.fault = ({ operation }) => (operation === 'refund' ? { response: [503, {}] } : undefined);
    const lines = [{ lineId: two, qty: 2 }];
    const accepted = ok(await refund(order, { lines, key: 'same' }));
    const counted = [
      [one, 2, 0],
      [two, 3, 2],
    ];
    expect(linesOf(accepted.data['items']), 'under way').to.deep.equal(counted);
    expect(linesOf((await shop.item(order, 'shop'))['items']), 'the payer').to.deep.equal(counted);
    const listed = ok(await shop.request('GET', `/admin/orders?q=${order.orderId}`, undefined, staff('shop'))).data;
    expect(linesOf((listed['items'] as unknown as StaffOrderData[])[0]?.items), 'lists').to.deep.equal(counted);
    const { refunds } = await stored(order);
    // 49 of 50 units for 2 and 3 pieces: 19.60 and 29.40.
    expect(refunds.map((made) => [made.lines, made.amount])).to.deep.equal([[lines, 19.6]]);
    shop.gateway.state.fault = () => undefined;
    await shop.until(order, 'shop', '30/30/70');
    ok(await refund(order, { lines, key: 'same' }));
    expect(await refund(order, { lines: [{ lineId: two, qty: 1 }], key: 'same' })).to.include({ code: 90205 });
    expect(charge.refundedAmount).to.equal(19.6);
    const entries = await shop.database('audit_entry').where({ action: 'order.refund', subject_id: order.orderId });
    expect(entries.map(({ after }: { after: { lines: unknown } }) => after.lines)).to.deep.equal([lines]);
  });

  it('are malformed (90001) with an amount, empty, for unknown or doubled lines and for too many pieces', async () => {
    const { order } = await done({ items: [{ goodsId: 'mug', qty: 2 }], pointsPlan: { tenantPoints: 6 } });
    const [lineId = ''] = await idsOf(order);
    for (const [body, path] of [
      [{ lines: [{ lineId, qty: 1 }], amount: 10 }, '/lines'],
      [{ lines: [] }, '/lines'],
      [{ lines: [{ lineId: 'none', qty: 1 }] }, '/lines/0/lineId'],
      [
        {
          lines: [
            { lineId, qty: 1 },
            { lineId, qty: 1 },
          ],
        },
        '/lines/1/lineId',
      ],
      ...[0, -1, 1.5, '1', null].map((qty) => [{ lines: [{ lineId, qty }] }, '/lines/0/qty'] as const),
      [{ lines: [{ lineId, qty: 3 }] }, '/lines/0/qty'],
    ] as const) {
      const refused = await refund(order, body);
      expect(refused, JSON.stringify(body)).to.include({ status: 400, code: 90001 });
      expect(refused.errors?.[0]?.path, JSON.stringify(body)).to.equal(path);
    }
    const { order: plain } = await done({ grossMoneyAmount: 10, moneyAmount: 10 });
    expect(await refund(plain, { lines: [{ lineId, qty: 1 }] }), 'without items').to.include({ code: 90001 });
    expect((await stored(order)).refunds).to.deep.equal([]);
    ok(await refund(order, { lines: [{ lineId, qty: 2 }], amount: null }));
    await shop.until(order, 'shop', '30/30/60');
  });

  it('give the points of converted cash back by the money’s share', async () => {
    const before = await shop.points('shop');
    const { order } = await done({
      items: [
        { goodsId: 'mug', qty: 1 },
        { goodsId: 'rate', qty: 3 },
      ],
      pointsPlan: { tenantPoints: 3 + 10, walletPoints: 8 },
    });
    const [, rate = ''] = await idsOf(order);
    // 19 of 31 units were paid: 6.13 for the mug, with the cent that remained, and 12.87 for 3 pieces.
    ok(await refund(order, { lines: [{ lineId: rate, qty: 1 }], restorePoints: true }));
    await shop.until(order, 'shop', '30/30/70');
    expect((await stored(order)).refunds[0]?.amount).to.equal(4.29);
    const after = await shop.points('shop');
    expect(after.tenant.available).to.equal(before.tenant.available - 13 + 3);
    ok(await refund(order, { restorePoints: true }));
    await shop.until(order, 'shop', '30/50/60');
    expect(await shop.points('shop')).to.deep.equal(before);
  });

  it('give a merchant’s points back by the money’s share', async () => {
    const before = await shop.points('merchant');
    const items = [
      { goodsId: 'pool', qty: 1 },
      { goodsId: 'pool', qty: 2 },
    ];
    const { order } = await done({ items, pointsPlan: { tenantPoints: 7 } }, 'merchant');
    const [one = '', two = ''] = await idsOf(order, 'merchant');
    ok(await refund(order, { lines: [{ lineId: one, qty: 1 }], restorePoints: true }, 'merchant'));
    await shop.until(order, 'merchant', '30/30/70');
    // 7 points for 5 and 10 units: 2 and 4, and the one that remains for the first.
    expect((await shop.points('merchant')).tenant.available).to.equal(before.tenant.available - 4);
    ok(await refund(order, { lines: [{ lineId: two, qty: 2 }], restorePoints: true }, 'merchant'));
    await shop.until(order, 'merchant', '30/50/60');
    expect(await shop.points('merchant')).to.deep.equal(before);
  });

  it('that wait for an approval show their lines, and count once they are approved', async () => {
    const limited = { businessType: 0, PAYGW_shopId: 'paygw-shop' };
    await shop.putTenant('shop', { ...limited, refundsNeedApprovalAbove: 15 });
    const { order } = await done({ items: [{ goodsId: 'mug', qty: 2 }], pointsPlan: { tenantPoints: 6 } });
    const [lineId = ''] = await idsOf(order);
    const lines = [{ lineId, qty: 2 }];
    ok(await refund(order, { lines }));
    const waits = await stored(order);
    expect(waits.approvals.map((approval) => [approval.status, approval.amount, approval.lines])).to.deep.equal([
      ['waiting', 20, lines],
    ]);
    expect(linesOf(waits.items)).to.deep.equal([[lineId, 2, 0]]);
    const other = { ...staff('shop'), userId: 's-2' };
    const { approvalId } = waits.approvals[0] ?? {};
    ok(await shop.post(`/admin/approvals/${approvalId}/resolve`, { outcome: 'approve' }, other));
    expect(linesOf((await stored(order)).items)).to.deep.equal([[lineId, 2, 2]]);
    await eventually('it is refunded', async () => (await stored(order)).paymentStatus === 60);
  });
});
