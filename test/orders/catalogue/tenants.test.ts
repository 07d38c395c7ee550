import { expect } from 'chai';
import { useOrders } from '#test/support/fixtures/orders.ts';
import { ok, staff, tenantAdmin } from '../support/shop.ts';

describe('Who administers a tenant', () => {
  const shop = useOrders({ worker: false, tenants: { shop: {}, hq: {} } });
  const record = { name: 'x', businessType: 0 };
  const put = async (tenantId: string, body: object, as: object = staff(tenantId)) =>
    (await shop.request('PUT', `/admin/tenants/${tenantId}`, body, as)).code;
  const stored = (tenantId: string) => shop.database('tenant').where({ tenant_id: tenantId }).first();

  it('B9: a tenant is put only with a token of that very tenant, be it new or a member', async () => {
    expect(await put('newcomer', { ...record, headquartersTenantId: 'hq' }, staff('hq'))).to.equal(90003);
    expect(await stored('newcomer')).to.equal(undefined);
    await shop.putTenant('member', { headquartersTenantId: 'hq' });
    const before = await stored('member');
    for (const as of [staff('hq'), staff('shop'), staff('')]) expect(await put('member', record, as)).to.equal(90003);
    expect(await stored('member')).to.deep.equal(before);
    expect(await put('member', { ...record, headquartersTenantId: 'hq' })).to.equal(1000);
  });

  it('only a tenant administrator changes its headquarters, or its shop while refunds above a limit need approval', async () => {
    const mine = { ...record, PAYGW_shopId: 'mine' };
    expect(await put('eyes', { ...record, headquartersTenantId: 'hq' }), 'at founding').to.equal(90003);
    expect(await stored('eyes')).to.equal(undefined);
    expect(await put('eyes', mine)).to.equal(1000);
    expect(await put('eyes', { ...record, PAYGW_shopId: 'other' }), 'without a limit').to.equal(1000);
    const limited = { ...mine, headquartersTenantId: 'hq', refundsNeedApprovalAbove: 50 };
    expect(await put('eyes', limited, tenantAdmin('eyes'))).to.equal(1000);
    const before = await stored('eyes');
    for (const changed of [
      { headquartersTenantId: 'shop' },
      { headquartersTenantId: null },
      { PAYGW_shopId: 'theirs' },
      { PAYGW_shopId: null },
      { PAYGW_shopId: 'theirs', refundsNeedApprovalAbove: null },
    ])
      expect(await put('eyes', { ...limited, ...changed }), JSON.stringify(changed)).to.equal(90003);
    expect(await stored('eyes')).to.deep.equal(before);
    expect(await put('eyes', { ...limited, name: 'Four eyes' }), 'nothing of these').to.equal(1000);
    expect(await put('eyes', { ...limited, PAYGW_shopId: 'theirs' }, tenantAdmin('eyes'))).to.equal(1000);
    expect(await stored('eyes')).to.include({ shopId: 'theirs', headquartersTenantId: 'hq' });
  });

  it('B9: a headquarters administers a member once the member’s own record names it, and no longer', async () => {
    await shop.putTenant('branch');
    const goods = { tenantId: 'branch', name: 'g', pricingType: 'PAYMENT_OPTIONS', stock: 1 };
    const options = [{ paymentOptionId: 'o', name: 'o', pointAmount: 0, cashAmount: 1 }];
    const putGoods = async () =>
      (await shop.request('PUT', '/admin/goods/branch-g', { ...goods, paymentOptions: options }, staff('hq'))).code;
    const reads = async () => (await shop.request('GET', '/admin/goods?tenantId=branch', undefined, staff('hq'))).code;
    expect([await putGoods(), await reads()]).to.deep.equal([90003, 90003]);
    await shop.putTenant('branch', { headquartersTenantId: 'hq' });
    expect([await putGoods(), await reads()]).to.deep.equal([1000, 1000]);
    await shop.putTenant('branch');
    expect([await putGoods(), await reads()]).to.deep.equal([90003, 90003]);
  });

  it('B9: a shop belongs to one tenant, until that lets go of it', async () => {
    await shop.putTenant('first', { PAYGW_shopId: 'one-shop' });
    expect(await put('second', { ...record, PAYGW_shopId: 'one-shop' })).to.equal(90003);
    expect(await stored('second')).to.equal(undefined);
    const before = await stored('shop');
    expect(await put('shop', { ...record, PAYGW_shopId: 'one-shop' })).to.equal(90003);
    expect(await stored('shop')).to.deep.equal(before);
    expect(await put('first', { ...record, PAYGW_shopId: 'one-shop' })).to.equal(1000);
    expect(await put('first', record)).to.equal(1000);
    expect(await put('second', { ...record, PAYGW_shopId: 'one-shop' })).to.equal(1000);
  });

  it('B9: of many tenants that name one shop at once, one gets it; two that swap theirs at once are both refused', async () => {
    const all = Array.from({ length: 20 }, (_, n) => `racer-${n}`);
    const codes = await Promise.all(all.map((tenantId) => put(tenantId, { ...record, PAYGW_shopId: 'the-shop' })));
    expect(codes.toSorted()).to.deep.equal([1000, ...Array.from({ length: 19 }, () => 90003)]);
    expect(await shop.database('tenant').where({ shop_id: 'the-shop' })).to.have.length(1);

    await shop.putTenant('left', { PAYGW_shopId: 'shop-a' });
    await shop.putTenant('right', { PAYGW_shopId: 'shop-b' });
    const swap = [
      put('left', { ...record, PAYGW_shopId: 'shop-b' }),
      put('right', { ...record, PAYGW_shopId: 'shop-a' }),
    ];
    expect(await Promise.all(swap)).to.deep.equal([90003, 90003]);
  });

  it('ids that could not be found again are malformed', async () => {
    const long = '漢'.repeat(700);
    expect(await put(long, record)).to.equal(90001);
    const body = { tenantId: 'shop', userId: long, kind: 'wallet', amount: 1, key: 'k' };
    expect((await shop.post('/admin/points/grant', body, staff('shop'))).code).to.equal(90001);
    expect((await shop.post('/admin/points/grant', { ...body, userId: 'u', key: long }, staff('shop'))).code).to.equal(
      90001,
    );
    ok(await shop.post('/admin/points/grant', { ...body, userId: '漢'.repeat(170), key: 'k' }, staff('shop')));
  });
});
