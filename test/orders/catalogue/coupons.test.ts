import { expect } from 'chai';
import { useOrders } from '#test/support/fixtures/orders.ts';
import { ok, staff } from '../support/shop.ts';

interface Coupon {
  couponId: string;
  status: string;
  orderId: string | null;
}

describe('Coupons', () => {
  const shop = useOrders({ tenants: { shop: {}, branch: { headquartersTenantId: 'shop' }, other: {}, third: {} } });
  const put = (couponId: string, more: object = {}, as: object = staff('shop')) =>
    shop.request(
      'PUT',
      `/admin/coupons/${couponId}`,
      { tenantId: 'shop', userId: 'u-1', name: 'Ten off', ...more },
      as,
    );
  const list = async (query = '', as: object = staff('shop')) =>
    ok(await shop.request('GET', `/admin/coupons${query}`, undefined, as)).data as unknown as {
      items: Coupon[];
      nextCursor: string | null;
    };
  const ids = async (query = '') => (await list(query)).items.map(({ couponId }) => couponId);
  let holder = '';
  let user = '';

  before(async () => {
    for (const couponId of ['held', 'used', 'free']) ok(await put(couponId));
    ok(await put('free-2', { userId: 'u-2' }));
    const spend = async (couponId: string, cash: object) => {
      const order = await shop.create('shop', { ...cash, pointsPlan: { couponIds: [couponId] } });
      ok(await shop.payUntilKnown(order, 'shop'));
      return order.orderId;
    };
    holder = await spend('held', { grossMoneyAmount: 10, moneyAmount: 10 });
    user = await spend('used', {});
  });

  it('B11: a coupon that an order holds or has used is not put again: 409 90202, and stays as it is', async () => {
    const rows = () => shop.database('coupon').whereIn('coupon_id', ['held', 'used']).orderBy('coupon_id');
    const before = await rows();
    for (const couponId of ['held', 'used'])
      expect(await put(couponId, { userId: 'u-2' })).to.include({ status: 409, code: 90202 });
    expect(await rows()).to.deep.equal(before);
  });

  it('B11: an available one is', async () => {
    const { version, etag, ...coupon } = ok(await put('free', { name: 'Twelve off' })).data;
    expect(etag).to.equal(`"${version}"`);
    expect(coupon).to.deep.equal({
      couponId: 'free',
      tenantId: 'shop',
      userId: 'u-1',
      name: 'Twelve off',
      status: 'available',
      orderId: null,
    });
  });

  it('B11: another tenant’s is 90003 and stays its own', async () => {
    expect(await put('free', { tenantId: 'other' }, staff('other'))).to.include({ status: 403, code: 90003 });
    expect(await shop.database('coupon').where({ coupon_id: 'free' }).first()).to.include({ tenantId: 'shop' });
  });

  it('B11: one that two tenants create at once belongs to one of them; the other gets 90003 and changes nothing', async () => {
    for (let round = 0; round < 5; round += 1) {
      const couponId = `raced-${round}`;
      const tenants = Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? 'third' : 'other'));
      const codes = await Promise.all(
        tenants.map(
          async (tenantId) => (await put(couponId, { tenantId, userId: `of ${tenantId}` }, staff(tenantId))).code,
        ),
      );
      const row = await shop.database('coupon').where({ coupon_id: couponId }).first();
      expect(codes).to.deep.equal(tenants.map((tenantId) => (tenantId === row?.tenantId ? 1000 : 90003)));
      expect(row?.userId).to.equal(`of ${row?.tenantId}`);
      const puts = await shop.database('audit_entry').where({ action: 'coupon.put', subject_id: couponId });
      expect(puts.map(({ tenantId }) => tenantId)).to.deep.equal(Array(5).fill(row?.tenantId));
    }
  });

  it('B11: the list shows status and order, and is by user and status, for tenants in reach', async () => {
    expect((await list()).items.map(({ couponId, status, orderId }) => [couponId, status, orderId])).to.deep.equal([
      ['free', 'available', null],
      ['free-2', 'available', null],
      ['held', 'reserved', holder],
      ['used', 'used', user],
    ]);
    expect(await ids('?userId=u-2')).to.deep.equal(['free-2']);
    for (const [status, couponIds] of Object.entries({ available: ['free'], reserved: ['held'], used: ['used'] }))
      expect(await ids(`?userId=u-1&status=${status}`)).to.deep.equal(couponIds);
    expect(await ids('?status=available')).to.deep.equal(['free', 'free-2']);
    const first = await list('?limit=3');
    expect(await ids(`?limit=3&cursor=${first.nextCursor}`)).to.deep.equal(['used']);
    const code = async (query: string, as: object = staff('shop')) =>
      (await shop.request('GET', `/admin/coupons${query}`, undefined, as)).code;
    expect(await code('?tenantId=shop', staff('other'))).to.equal(90003);
    expect(await code('?tenantId=branch')).to.equal(1000);
    expect(await code('?status=gone')).to.equal(90001);
  });

  it('B11: payers see their own that they can use, where they may create orders', async () => {
    const own = (body: object, as: object = {}) => shop.post('/user/coupons', body, as);
    const items = async (body: object, as: object = {}) => ok(await own(body, as)).data['items'] as Coupon[];
    expect((await items({ tenantId: 'shop' })).map(({ couponId }) => couponId)).to.deep.equal(['free']);
    expect((await items({ tenantId: 'shop' }, { userId: 'u-2' })).map(({ couponId }) => couponId)).to.deep.equal([
      'free-2',
    ]);
    expect(await items({ tenantId: 'branch' })).to.deep.equal([]);
    ok(await put('a-more'));
    const first = ok(await own({ tenantId: 'shop', limit: 1, cursor: null })).data;
    const second = ok(await own({ tenantId: 'shop', limit: 1, cursor: first['nextCursor'] })).data;
    const pages = [first, second].map(({ items: page }) => (page as Coupon[]).map(({ couponId }) => couponId));
    expect(pages).to.deep.equal([['a-more'], ['free']]);
    expect((await own({ tenantId: 'other' })).code).to.equal(90003);
    expect((await own({})).code).to.equal(90001);
    expect((await own({ tenantId: 'shop' }, { tenantId: '' })).code).to.equal(90003);
  });
});
