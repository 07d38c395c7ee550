import { expect } from 'chai';
import { useOrders } from '#test/support/fixtures/orders.ts';
import { ok, triple } from '../support/shop.ts';

describe('Create with an Idempotency-Key', () => {
  const shop = useOrders({ worker: false, tenants: { shop: {}, branch: { headquartersTenantId: 'shop' } } });
  const cash = { tenantId: 'shop', title: 'Once', grossMoneyAmount: 10, moneyAmount: 10 };
  const create = (key: string, body: object, as = {}) =>
    shop.request('POST', '/user/order/create', body, as, { 'idempotency-key': key });
  const count = async () => Number((await shop.database('customer_order').count())[0]?.['count']);

  it('B10: the same body gives the same order, however it is written', async () => {
    const first = ok(await create('k-1', cash)).data;
    const before = await count();
    const { title, ...rest } = cash;
    for (const body of [cash, { ...rest, title }, { ...cash, description: null, unknown: 1 }])
      expect(ok(await create('k-1', body)).data).to.deep.equal(first);
    expect(await count()).to.equal(before);
  });

  it('B10: with its statuses of now', async () => {
    const order = ok(await create('k-now', cash)).data;
    ok(await shop.cancel(order, 'shop'));
    const again = ok(await create('k-now', cash)).data;
    expect([again.orderId, again.orderNo, triple(again)]).to.deep.equal([order.orderId, order.orderNo, '60/0/0']);
  });

  it('B10: whatever happened to stock or goods meanwhile', async () => {
    const option = { paymentOptionId: 'o', name: 'DEFAULT', pointAmount: 0, cashAmount: 10 };
    await shop.putGoods('last', 'shop', { stock: 1 });
    const body = { tenantId: 'shop', items: [{ goodsId: 'last' }], moneyAmount: 10 };
    const order = ok(await create('k-goods', body)).data;
    await shop.putGoods('last', 'shop', { stock: 0, paymentOptions: [{ ...option, cashAmount: 99 }] });
    expect((await shop.post('/user/order/create', body)).code).to.equal(90039);
    expect(ok(await create('k-goods', body)).data.orderId).to.equal(order.orderId);
  });

  it('B10: another body is 90205 and makes nothing', async () => {
    ok(await create('k-2', cash));
    const before = await count();
    for (const body of [
      { ...cash, title: 'Twice' },
      { ...cash, grossMoneyAmount: 11, moneyAmount: 11 },
      { ...cash, pointsPlan: { couponIds: ['none'] } },
    ])
      expect(await create('k-2', body)).to.include({ status: 409, code: 90205, data: null });
    expect(await count()).to.equal(before);
  });

  it('B10: the key is of a payer and a tenant', async () => {
    const ids = new Set<string>();
    for (const [tenantId, userId] of [
      ['shop', 'u-1'],
      ['shop', 'u-2'],
      ['branch', 'u-1'],
    ])
      ids.add(ok(await create('k-3', { ...cash, tenantId }, { userId })).data.orderId);
    expect(ids).to.have.property('size', 3);
  });

  it('B10: for 24 hours; old keys are removed', async () => {
    const order = ok(await create('k-old', cash)).data;
    const age = (hours: number) =>
      shop.database.raw(`update order_key set created_at = now() - interval '1 hour' * ? where key = 'k-old'`, [hours]);
    await age(23.9);
    expect(ok(await create('k-old', cash)).data.orderId).to.equal(order.orderId);
    await age(24.1);
    const next = ok(await create('k-old', { ...cash, title: 'Next day' })).data;
    expect(next.orderId).to.not.equal(order.orderId);
    expect(ok(await create('k-old', { ...cash, title: 'Next day' })).data.orderId).to.equal(next.orderId);
    await age(25);
    ok(await create('k-new', cash));
    expect(await shop.database('order_key').where({ key: 'k-old' })).to.deep.equal([]);
  });

  it('B10: of many at once, one makes the order', async () => {
    const before = await count();
    const all = await Promise.all(Array.from({ length: 30 }, () => create('k-race', cash)));
    expect(new Set(all.map((response) => ok(response).data.orderId))).to.have.property('size', 1);
    expect(await count()).to.equal(before + 1);
  });

  it('B10: a rejected create does not use the key up', async () => {
    const wrong = { ...cash, moneyAmount: 9 };
    expect((await create('k-4', wrong)).code).to.equal(90203);
    ok(await create('k-4', cash));
  });

  it('B10: a malformed key is 90001; any 200 printable characters are a key', async () => {
    const before = await count();
    for (const key of ['', 'x'.repeat(201), 'é', 'a\tb']) {
      const { code, errors } = await create(key, cash);
      expect([code, errors?.[0]?.path], key).to.deep.equal([90001, 'header/idempotency-key']);
    }
    expect(await count()).to.equal(before);
    ok(await create(`~ ${'!'.repeat(198)}`, cash));
  });

  it('B10: reach comes before the key', async () => {
    ok(await create('k-5', cash));
    expect((await create('k-5', cash, { tenantId: 'elsewhere' })).code).to.equal(90003);
  });
});
