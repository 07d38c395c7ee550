import { expect } from 'chai';
import { useOrders } from '#test/support/fixtures/orders.ts';
import { ok, staff, tenantAdmin } from '../support/shop.ts';

describe('The versions of tenants, goods and coupons', () => {
  const shop = useOrders({ worker: false, tenants: { shop: {}, other: {} } });
  const option = { paymentOptionId: 'o', name: 'DEFAULT', pointAmount: 0, cashAmount: 10 };
  const as = tenantAdmin('shop');
  const call = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    shop.request(method, path, body, as, headers);

  const kinds = {
    goods: {
      path: (id: string) => `/admin/goods/${id}`,
      body: { tenantId: 'shop', pricingType: 'PAYMENT_OPTIONS', stock: 5, paymentOptions: [option] },
      list: '/admin/goods?limit=200',
    },
    coupon: {
      path: (id: string) => `/admin/coupons/${id}`,
      body: { tenantId: 'shop', userId: 'u-1' },
      list: '/admin/coupons?limit=200',
    },
    tenant: { path: () => '/admin/tenants/shop', body: { businessType: 0, PAYGW_shopId: 'paygw-shop' }, list: null },
  };
  const seen: string[] = [];

  for (const [kind, { path, body, list }] of Object.entries(kinds)) {
    const put = (id: string, name: string, headers: Record<string, string> = {}) =>
      call('PUT', path(id), { ...body, name }, headers);
    const read = async (id: string) => ok(await call('GET', path(id)));

    it(`${kind}: replaces what was read, and nothing else`, async () => {
      const first = ok(await put(`${kind}-1`, 'A'));
      const { version } = first.data;
      expect(first.etag).to.equal(`"${version}"`);
      const shown = await read(`${kind}-1`);
      expect([shown.etag, shown.data['version'], shown.data['etag']]).to.deep.equal([first.etag, version, first.etag]);
      if (list !== null) {
        const { items } = ok(await call('GET', list)).data as unknown as { items: { version: string }[] };
        expect(items.map((item) => item.version)).to.include(version);
      }
      const second = ok(await put(`${kind}-1`, 'B', { 'if-match': `"x", W/${first.etag}` }));
      const third = ok(await put(`${kind}-1`, 'A', { 'if-match': '*' }));
      const current = (await read(`${kind}-1`)).data;
      for (const stale of [first.etag, second.etag, '"x"'].map(String)) {
        const refused = await put(`${kind}-1`, 'C', { 'if-match': stale });
        expect([refused.status, refused.code, refused.data], stale).to.deep.equal([412, 90209, null]);
      }
      for (const none of [String(version), 'nonsense', '"open', '']) {
        const refused = await put(`${kind}-1`, 'C', { 'if-match': none });
        const { path } = refused.errors?.[0] ?? {};
        expect([refused.status, refused.code, path], none).to.deep.equal([400, 90001, 'header/if-match']);
      }
      expect((await put(`${kind}-1`, 'C', { 'if-none-match': '*' })).code).to.equal(90209);
      expect((await read(`${kind}-1`)).data).to.deep.equal(current);
      ok(await put(`${kind}-1`, 'D'));
      seen.push(String(first.etag), String(second.etag), String(third.etag), String((await read(`${kind}-1`)).etag));
    });

    it(`${kind}: one of several parallel writes of one reading`, async () => {
      const { etag } = ok(await put(`${kind}-2`, 'raced'));
      const codes = await Promise.all(
        ['a', 'b', 'c', 'd'].map(async (name) => (await put(`${kind}-2`, name, { 'if-match': String(etag) })).code),
      );
      expect(codes.toSorted()).to.deep.equal([1000, 90209, 90209, 90209]);
    });
  }

  it('are never equal for two objects, or for two states of one', () => {
    expect(new Set(seen)).to.have.property('size', 12);
  });

  it('match nothing where nothing exists, which If-None-Match creates once', async () => {
    const goods = { ...kinds.goods.body, name: 'new' };
    for (const tag of ['*', '"o1"'])
      expect((await call('PUT', '/admin/goods/new', goods, { 'if-match': tag })).code, tag).to.equal(90209);
    expect((await call('GET', '/admin/goods/new')).code).to.equal(90201);
    const codes = await Promise.all(
      [1, 2, 3].map(async () => (await call('PUT', '/admin/goods/new', goods, { 'if-none-match': '*' })).code),
    );
    expect(codes.toSorted()).to.deep.equal([1000, 90209, 90209]);
  });

  it('of goods change with PUT and with stock by staff, not with holds and sales', async () => {
    await shop.putGoods('sold', 'shop', { stock: 3 });
    const etag = async () => ok(await call('GET', '/admin/goods/sold')).etag;
    const before = await etag();
    await shop.database('goods').where({ goods_id: 'sold' }).update({ stock: 2, held: 1, updated_at: new Date() });
    expect(await etag()).to.equal(before);
    const change = { delta: 4, reason: 'delivery', key: 'k-1' };
    const changed = ok(await call('POST', '/admin/goods/sold/stock', change));
    expect(changed.etag).to.not.equal(before);
    expect([await etag(), ok(await call('POST', '/admin/goods/sold/stock', change)).etag]).to.deep.equal([
      changed.etag,
      changed.etag,
    ]);
  });

  it('come after every other refusal', async () => {
    await shop.putGoods('kept', 'shop', { stock: 3 });
    await shop.database('goods').where({ goods_id: 'kept' }).update({ held: 2 });
    const goods = { ...kinds.goods.body, name: 'kept' };
    const stale = { 'if-match': '"o0"' };
    expect((await call('PUT', '/admin/goods/kept', { ...goods, stock: 1 }, stale)).code).to.equal(90039);
    expect((await call('PUT', '/admin/goods/kept', { ...goods, name: '' }, stale)).code).to.equal(90001);
    const foreign = await shop.request('PUT', '/admin/goods/kept', goods, staff('other'), stale);
    expect(foreign.code).to.equal(90003);
    await shop.putCoupon('used', 'shop');
    await shop.database('coupon').where({ coupon_id: 'used' }).update({ status: 'used', order_id: 'o' });
    const coupon = { ...kinds.coupon.body, name: 'x' };
    expect((await call('PUT', '/admin/coupons/used', coupon, stale)).code).to.equal(90202);
    const theirs = { businessType: 0, name: 'x', PAYGW_shopId: 'paygw-other' };
    expect((await call('PUT', '/admin/tenants/shop', theirs, stale)).code).to.equal(90003);
  });

  it('let an administrator change what was read of a tenant', async () => {
    const { etag } = ok(await call('GET', '/admin/tenants/shop'));
    const change = (tag: string) =>
      call('PATCH', '/admin/tenants/shop', { refundsNeedApprovalAbove: 7 }, { 'if-match': tag });
    const changed = ok(await change(String(etag)));
    expect(changed.etag).to.not.equal(etag);
    expect((await change(String(etag))).code).to.equal(90209);
  });

  it('are read of one coupon by its tenant’s staff alone', async () => {
    await shop.putCoupon('mine', 'shop');
    expect(ok(await call('GET', '/admin/coupons/mine')).data).to.include({ couponId: 'mine', status: 'available' });
    expect((await call('GET', '/admin/coupons/none')).code).to.equal(90201);
    expect((await shop.request('GET', '/admin/coupons/mine', undefined, staff('other'))).code).to.equal(90003);
  });

  it('of a tenant that was never put are none: 90200', async () => {
    const nobody = await shop.request('GET', '/admin/tenants/nobody', undefined, staff('nobody'));
    expect([nobody.status, nobody.code]).to.deep.equal([404, 90200]);
  });
});
