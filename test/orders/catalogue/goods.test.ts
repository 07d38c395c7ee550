import { expect } from 'chai';
import { useOrders } from '#test/support/fixtures/orders.ts';
import { ok, staff } from '../support/shop.ts';

interface Goods {
  goodsId: string;
  stock: number | null;
  held: number;
}

const option = { paymentOptionId: 'o', name: 'DEFAULT', pointAmount: 5, cashAmount: 0 };

describe('Goods and their stock', () => {
  const shop = useOrders({
    tenants: { shop: { headquartersTenantId: 'hq' }, hq: {}, other: {} },
    points: { tenant: 1000 },
  });
  const body = { tenantId: 'shop', name: 'Tea', pricingType: 'PAYMENT_OPTIONS', paymentOptions: [option] };
  const put = (goodsId: string, more: object = {}, as: object = staff('shop')) =>
    shop.request('PUT', `/admin/goods/${goodsId}`, { ...body, ...more }, as);
  const get = (goodsId: string, as: object = staff('shop')) =>
    shop.request('GET', `/admin/goods/${goodsId}`, undefined, as);
  const read = async (goodsId: string) => ok(await get(goodsId)).data as unknown as Goods;
  const change = (goodsId: string, more: object, as: object = staff('shop')) =>
    shop.post(`/admin/goods/${goodsId}/stock`, { delta: 1, reason: 'counted', key: 'k', ...more }, as);
  const history = async (goodsId: string, query = '') =>
    ok(await shop.request('GET', `/admin/goods/${goodsId}/stock${query}`, undefined, staff('shop')))
      .data as unknown as {
      items: { actor: string; delta: number | null; reason: string | null; stock: number | null }[];
      nextCursor: string | null;
    };
  const buy = async (goodsId: string, qty: number) => {
    const order = await shop.create('shop', { items: [{ goodsId, qty }], pointsPlan: { tenantPoints: 5 * qty } });
    ok(await shop.payUntilKnown(order, 'shop'));
    return order;
  };
  /** Goods of which a payment in progress holds two. */
  const held = async (goodsId: string) => {
    ok(await put(goodsId, { stock: 5, paymentOptions: [{ ...option, pointAmount: 5, cashAmount: 1 }] }));
    await buy(goodsId, 2);
    expect(await read(goodsId)).to.include({ stock: 5, held: 2 });
  };

  it('B11: PUT goods without stock leaves stock as it is: a price edit does not undo the sales meanwhile', async () => {
    ok(await put('tea', { stock: 10 }));
    // Staff open the form, a payer buys three, staff save another price.
    const { stock: _, ...opened } = { stock: 10, ...body };
    await buy('tea', 3);
    ok(await shop.request('PUT', '/admin/goods/tea', { ...opened, name: 'Better tea' }, staff('shop')));
    const row = await shop.database('goods').where({ goods_id: 'tea' }).first();
    expect(row).to.include({ name: 'Better tea', stock: 7, held: 0 });
  });

  it('B11: `stock: null` makes it unlimited, as new goods without stock are', async () => {
    ok(await put('tea', { stock: null }));
    expect(await read('tea')).to.include({ stock: null });
    ok(await put('tea'));
    expect(await read('tea')).to.include({ stock: null });
    ok(await put('new'));
    expect(await read('new')).to.include({ stock: null });
  });

  it('B11: goods are shown as they were put, with goodsId and held', async () => {
    const paymentOptions = [option, { ...option, paymentOptionId: 'p', cashAmount: 12.34 }];
    const { updatedAt, version, etag, ...shown } = ok(await put('shown', { stock: 4, paymentOptions })).data;
    expect(shown).to.deep.equal({ ...body, paymentOptions, goodsId: 'shown', stock: 4, held: 0 });
    expect(ok(await get('shown')).data).to.deep.equal({ ...shown, updatedAt, version, etag });
    await held('partly');
    const pages = ok(await shop.request('GET', '/admin/goods?q=partly', undefined, staff('shop'))).data;
    expect(pages['items']).to.deep.equal([ok(await get('partly')).data]);
  });

  it('B11: a PUT or a correction below what is held is 90039 and changes nothing', async () => {
    await held('tight');
    const before = await shop.database('goods').where({ goods_id: 'tight' }).first();
    expect(await put('tight', { stock: 1, name: 'Changed' })).to.include({ status: 409, code: 90039 });
    expect(await change('tight', { delta: -4 })).to.include({ status: 409, code: 90039 });
    expect(await shop.database('goods').where({ goods_id: 'tight' }).first()).to.deep.equal(before);
    ok(await change('tight', { delta: -3 }));
    expect(await read('tight')).to.include({ stock: 2, held: 2 });
    ok(await put('tight', { stock: 2 }));
  });

  it('B11: POST stock adds and takes, once per key', async () => {
    ok(await put('box', { stock: 3 }));
    expect(ok(await change('box', { delta: 7, key: 'a' })).data).to.include({ goodsId: 'box', stock: 10, held: 0 });
    expect(ok(await change('box', { delta: 7, key: 'a' })).data).to.include({ stock: 10 });
    expect(await change('box', { delta: 8, key: 'a' })).to.include({ status: 409, code: 90205 });
    expect(await change('box', { delta: 7, key: 'a', reason: 'found' })).to.include({ code: 90205 });
    ok(await put('other-box', { stock: 0 }));
    expect(ok(await change('other-box', { delta: 7, key: 'a' })).data).to.include({ stock: 7 });
    const race = [...Array.from({ length: 10 }, () => 'same'), ...Array.from({ length: 9 }, (_, n) => `own-${n}`)];
    for (const response of await Promise.all(race.map((key) => change('box', { delta: -1, key })))) ok(response);
    expect(await read('box')).to.include({ stock: 0 });
  });

  it('B11: unlimited stock has nothing to add to: 90001 with errors; malformed changes likewise', async () => {
    ok(await put('endless', { stock: null }));
    for (const more of [{}, { delta: 0 }, { delta: 1.5 }, { delta: 9_999_999_999 + 1 }, { reason: '' }, { key: '' }]) {
      const { code, errors } = await change('endless', more);
      expect(code, JSON.stringify(more)).to.equal(90001);
      expect(errors).to.be.an('array').and.not.to.equal([]);
    }
    ok(await put('full', { stock: 9_999_999_999 }));
    expect((await change('full', {})).code).to.equal(90001);
  });

  it('B11: the history of stock says who changed what by how much, newest first', async () => {
    ok(await put('told', { stock: 3 }));
    ok(await put('told', { name: 'Other' }));
    ok(await change('told', { delta: -2, key: 'a', reason: 'broken' }));
    ok(await put('told', { stock: 9 }));
    ok(await put('told', { stock: null }));
    const byHand = { orderId: null, orderTitle: null };
    const changes = [
      { actor: 's-1', delta: null, reason: null, stock: null, ...byHand },
      { actor: 's-1', delta: 8, reason: null, stock: 9, ...byHand },
      { actor: 's-1', delta: -2, reason: 'broken', stock: 1, ...byHand },
      { actor: 's-1', delta: 3, reason: null, stock: 3, ...byHand },
    ];
    const withoutTimes = ({ items }: { items: object[] }) => items.map((item) => ({ ...item, at: undefined }));
    const expected = changes.map((item) => ({ ...item, at: undefined }));
    expect(withoutTimes(await history('told'))).to.deep.equal(expected);
    const first = await history('told', '?limit=3');
    const rest = await history('told', `?limit=3&cursor=${first.nextCursor}`);
    expect([...withoutTimes(first), ...withoutTimes(rest)]).to.deep.equal(expected);
    expect(rest.nextCursor).to.equal(null);
  });

  it('B11: unknown goods are 90201, another tenant’s 90003 and stay its own; a headquarters reaches its member’s', async () => {
    ok(await put('ours', { stock: 3 }));
    const before = await read('ours');
    const takeover = { ...body, tenantId: 'other', stock: 0 };
    expect(await put('ours', takeover, staff('other'))).to.include({ status: 403, code: 90003 });
    for (const [response, code] of [
      [await get('ours', staff('other')), 90003],
      [await change('ours', {}, staff('other')), 90003],
      [await shop.request('GET', '/admin/goods/ours/stock', undefined, staff('other')), 90003],
      [await shop.request('GET', '/admin/goods?tenantId=shop', undefined, staff('other')), 90003],
      [await get('none'), 90201],
      [await change('none', {}), 90201],
      [await shop.request('GET', '/admin/goods/none/stock', undefined, staff('shop')), 90201],
      [await get('%00'), 90201],
      [await get('ours', staff('hq')), 1000],
    ] as const)
      expect(response.code).to.equal(code);
    expect(await read('ours')).to.deep.equal(before);
  });

  it('B11: goods that two tenants create at once belong to one of them; the other gets 90003 and changes nothing', async () => {
    for (let round = 0; round < 5; round += 1) {
      const goodsId = `raced-${round}`;
      const tenants = Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? 'shop' : 'other'));
      const codes = await Promise.all(
        tenants.map(
          async (tenantId) => (await put(goodsId, { tenantId, name: `of ${tenantId}` }, staff(tenantId))).code,
        ),
      );
      const row = await shop.database('goods').where({ goods_id: goodsId }).first();
      expect(codes).to.deep.equal(tenants.map((tenantId) => (tenantId === row?.tenantId ? 1000 : 90003)));
      expect(row?.name).to.equal(`of ${row?.tenantId}`);
      const puts = await shop.database('audit_entry').where({ action: 'goods.put', subject_id: goodsId });
      expect(puts.map(({ tenantId }) => tenantId)).to.deep.equal(Array(5).fill(row?.tenantId));
    }
  });

  it('B11: the list is by id, page by page, and finds part of an id or a name', async () => {
    const putFor = (goodsId: string, name: string) => put(goodsId, { tenantId: 'hq', name }, staff('hq'));
    for (const [goodsId, name] of [
      ['b-2', '100% cotton'],
      ['a-1', '冬季茶'],
      ['c_3', 'Winter box'],
    ] as const)
      ok(await putFor(goodsId, name));
    const list = async (query: string) =>
      ok(await shop.request('GET', `/admin/goods${query}`, undefined, staff('hq'))).data as unknown as {
        items: Goods[];
        nextCursor: string | null;
      };
    const ids = async (query: string) => (await list(query)).items.map(({ goodsId }) => goodsId);
    expect(await ids('')).to.deep.equal(['a-1', 'b-2', 'c_3']);
    for (const [q, found] of Object.entries({
      WINTER: ['c_3'],
      季: ['a-1'],
      '%': ['b-2'],
      _: ['c_3'],
      '-': ['a-1', 'b-2'],
    }))
      expect(await ids(`?q=${encodeURIComponent(q)}`), q).to.deep.equal(found);
    const first = await list('?limit=2');
    expect(first.items.map(({ goodsId }) => goodsId)).to.deep.equal(['a-1', 'b-2']);
    expect(await ids(`?limit=2&cursor=${first.nextCursor}`)).to.deep.equal(['c_3']);
    expect((await list('?limit=3')).nextCursor).to.equal(null);
  });
});
