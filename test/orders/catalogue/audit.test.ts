import { expect } from 'chai';
import { ok, staff } from '../support/shop.ts';
import { useOrders } from '#test/support/fixtures/orders.ts';

interface Entry {
  entryId: string;
  at: string;
  actor: string;
  action: string;
  subject: { type: string; id: string };
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  requestId: string | null;
  callerRequestId: string | null;
}

describe('The audit of the catalogue and of points', () => {
  const shop = useOrders({ worker: false, tenants: { shop: { headquartersTenantId: 'hq' }, hq: {}, other: {} } });
  const option = { paymentOptionId: 'o', name: 'DEFAULT', pointAmount: 0, cashAmount: 10 };

  async function audit(query = '', as = staff('shop')): Promise<Entry[]> {
    return ok(await shop.request('GET', `/admin/audit${query}`, undefined, as)).data['items'] as unknown as Entry[];
  }
  const latest = async (): Promise<Partial<Entry>> => {
    const [{ actor, action, subject, before, after } = {} as Entry] = await audit();
    return { actor, action, subject, before, after };
  };

  it('B12: tenants, with what was there before and after', async () => {
    await shop.putTenant('shop', { headquartersTenantId: 'hq', name: 'Shop & Co', currency: 'EUR' });
    const { before, after, ...rest } = await latest();
    expect(rest).to.deep.equal({ actor: 's-1', action: 'tenant.put', subject: { type: 'tenant', id: 'shop' } });
    expect(before).to.include({ name: 'shop', currency: 'TWD', PAYGW_shopId: 'paygw-shop' });
    expect(after).to.include({ name: 'Shop & Co', currency: 'EUR', PAYGW_shopId: 'paygw-shop' });
    const first = (await audit()).at(-1);
    expect(first).to.deep.include({ action: 'tenant.put', before: null });
    expect(Date.parse(first?.at ?? '')).to.be.closeTo(Date.now(), 600_000);
  });

  it('B12: goods and stock', async () => {
    await shop.putGoods('tea', 'shop', { stock: 3 });
    expect(await latest()).to.deep.include({
      action: 'goods.put',
      subject: { type: 'goods', id: 'tea' },
      before: null,
    });
    await shop.putGoods('tea', 'shop', { stock: 3, paymentOptions: [{ ...option, cashAmount: 12.5 }] });
    const { before, after } = await latest();
    expect(before).to.deep.include({ stock: 3, held: 0, paymentOptions: [option] });
    expect(after).to.deep.include({ stock: 3, paymentOptions: [{ ...option, cashAmount: 12.5 }] });
    const change = { delta: 4, reason: 'counted', key: 'k-1' };
    ok(await shop.post('/admin/goods/tea/stock', change, staff('shop')));
    expect(await latest()).to.deep.equal({
      actor: 's-1',
      action: 'goods.stock',
      subject: { type: 'goods', id: 'tea' },
      before: { stock: 3 },
      after: { stock: 7, delta: 4, reason: 'counted' },
    });
  });

  it('B12: coupons', async () => {
    await shop.putCoupon('c', 'shop');
    await shop.putCoupon('c', 'shop', 'u-2');
    const { before, after, action, subject } = await latest();
    expect([action, subject]).to.deep.equal(['coupon.put', { type: 'coupon', id: 'c' }]);
    expect([before?.['userId'], after?.['userId']]).to.deep.equal(['u-1', 'u-2']);
  });

  it('B12: grants of points name who granted, in the audit, the ledger and the entries', async () => {
    const grant = { tenantId: 'shop', userId: 'u-9', kind: 'wallet', amount: 40, key: 'k-9' };
    ok(await shop.post('/admin/points/grant', grant, { ...staff('shop'), userId: 'giver' }));
    expect(await latest()).to.deep.equal({
      actor: 'giver',
      action: 'points.grant',
      subject: { type: 'account', id: 'u-9/wallet' },
      before: { available: 0, reserved: 0, committed: 0 },
      after: { available: 40, reserved: 0, committed: 0, amount: 40 },
    });
    const entries = await shop.database('ledger_entry').where({ user_id: 'u-9' }).select('actor');
    expect(entries).to.deep.equal([{ actor: 'giver' }, { actor: 'giver' }]);
  });

  it('B12: what changed nothing leaves no entry', async () => {
    await shop.putGoods('held', 'shop', { stock: 2 });
    await shop.database('goods').where({ goods_id: 'held' }).update({ held: 2 });
    const count = (await audit('?limit=200')).length;
    const change = { delta: 4, reason: 'counted', key: 'k-1' };
    ok(await shop.post('/admin/goods/tea/stock', change, staff('shop')));
    const grant = { tenantId: 'shop', userId: 'u-9', kind: 'wallet', amount: 40, key: 'k-9' };
    ok(await shop.post('/admin/points/grant', grant, staff('shop')));
    const less = { tenantId: 'shop', name: 'x', pricingType: 'PAYMENT_OPTIONS', stock: 1, paymentOptions: [option] };
    expect((await shop.request('PUT', '/admin/goods/held', less, staff('shop'))).code).to.equal(90039);
    await shop.database('goods').where({ goods_id: 'held' }).update({ held: 0 });
    const shopOfHq = { name: 'shop', businessType: 0, PAYGW_shopId: 'paygw-hq' };
    expect((await shop.request('PUT', '/admin/tenants/shop', shopOfHq, staff('shop'))).code).to.equal(90003);
    expect(await audit('?limit=200')).to.have.length(count);
  });

  it('B12: names the request by our own id, and by its caller’s apart from it', async () => {
    const grant = (key: string) => ({ tenantId: 'shop', userId: 'u-9', kind: 'wallet', amount: 1, key });
    const give = (key: string, headers: Record<string, string>) =>
      shop.request('POST', '/admin/points/grant', grant(key), staff('shop'), headers);
    ok(await give('k-10', { 'x-request-id': 'of-the-caller' }));
    ok(await give('k-11', {}));
    const entries = await audit('?limit=200');
    expect(entries.slice(0, 2).map(({ callerRequestId }) => callerRequestId)).to.deep.equal([null, 'of-the-caller']);
    const own = entries.map(({ requestId }) => requestId ?? '');
    for (const id of own) expect(id).to.match(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(new Set(own).size).to.equal(entries.length);
  });

  it('B12: is listed for tenants in reach, by actor, page by page, newest first', async () => {
    const all = await audit('?limit=200');
    expect(all.map(({ entryId }) => entryId)).to.deep.equal(
      all
        .map(({ entryId }) => entryId)
        .toSorted()
        .toReversed(),
    );
    expect(await audit('?tenantId=shop&limit=200', staff('hq'))).to.deep.equal(all);
    expect(await audit('?limit=200', staff('hq'))).to.not.deep.equal(all);
    const denied = async (as: object) => (await shop.request('GET', '/admin/audit?tenantId=shop', undefined, as)).code;
    expect(await denied(staff('other'))).to.equal(90003);
    expect(await denied({ ...staff('shop'), roles: ['viewer'] })).to.equal(90003);
    expect((await audit('?actor=giver')).map(({ action }) => action)).to.deep.equal(['points.grant']);
    expect(await audit('?actor=nobody')).to.deep.equal([]);

    const paged: Entry[] = [];
    let cursor = '';
    do {
      const path = `/admin/audit?limit=3${cursor && `&cursor=${cursor}`}`;
      const { data } = ok(await shop.request('GET', path, undefined, staff('shop')));
      paged.push(...(data['items'] as Entry[]));
      cursor = String(data['nextCursor'] ?? '');
    } while (cursor !== '');
    expect(paged).to.deep.equal(all);
    const foreign = await shop.request('GET', '/admin/audit?cursor=rubbish', undefined, staff('shop'));
    expect([foreign.code, foreign.errors?.[0]?.path]).to.deep.equal([90001, 'query/cursor']);
  });
});
