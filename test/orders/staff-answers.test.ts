import { expect } from 'chai';
import type { StaffOrderData } from '#domain/orders/responses.ts';
import { eventually } from '../support/time/eventually.ts';
import { tokenFor } from './support/orders-service.ts';
import { ok, staff, triple } from './support/shop.ts';
import { useOrders } from '../support/fixtures/orders.ts';

describe('What staff see of orders', () => {
  const shop = useOrders({ tenants: { shop: {}, other: {} }, points: { tenant: 1000 } });

  before(async () => {
    await shop.putGoods('beans', 'shop', {
      name: 'Autumn beans',
      paymentOptions: [{ paymentOptionId: 'o', name: 'DEFAULT', pointAmount: 5, cashAmount: 10 }],
    });
  });
  beforeEach(() => {
    shop.gateway.state.fault = () => undefined;
  });

  const told = async (order: { orderId: string }) =>
    (await shop.staffOrder(order, 'shop')) as unknown as StaffOrderData;
  const search = async (query: string, tenantId = 'shop'): Promise<string[]> => {
    const response = ok(await shop.request('GET', `/admin/orders${query}`, undefined, staff(tenantId)));
    return (response.data['items'] as { orderId: string }[]).map(({ orderId }) => orderId);
  };
  const beans = { items: [{ goodsId: 'beans', qty: 2 }], pointsPlan: { tenantPoints: 10 } };

  it('every triple in sequence, the callback as received, the flag until it is decided, and the refund', async () => {
    const order = await shop.create('shop', beans);
    ok(await shop.payUntilKnown(order, 'shop', 'u-1', { reserveTimeoutSeconds: 600 }));
    const charge = shop.gateway.chargeOf(order.orderNo);
    charge.status = 'paid';
    await shop.gateway.callback(charge, { eventId: 'evt-usd', currency: 'USD' });
    await eventually('flagged', async () => (await told(order)).flags.length > 0);

    const flagged = await told(order);
    expect(flagged.history.map(triple)).to.deep.equal(['0/0/0', '20/10/10']);
    expect(flagged.attempts).to.have.length(1);
    expect(flagged.attempts[0]).to.include({ holdStatus: 'reserved', shopId: 'paygw-shop', currency: 'TWD' });
    expect(flagged.attempts[0]).to.include({ chargeId: charge.chargeId, chargeSends: 1, cancelRequested: false });
    const held = Date.parse(flagged.attempts[0]?.expiresAt ?? '') - Date.parse(flagged.attempts[0]?.startedAt ?? '');
    expect(held).to.be.within(540_000, 600_000);
    const [event] = flagged.events;
    expect(event).to.include({ eventId: 'evt-usd', status: 'stored', shopId: 'paygw-shop', orderNo: order.orderNo });
    expect(JSON.parse(event?.body ?? '')).to.include({ currency: 'USD', amount: 20, chargeId: charge.chargeId });
    expect(await search('?flagged=true')).to.deep.equal([order.orderId]);
    expect(await search('?flagged=true&status=DONE')).to.deep.equal([]);
    expect(await search('?flagged=true', 'other')).to.deep.equal([]);

    ok(await shop.resolve(order, 'shop', 'refund'));
    await shop.until(order, 'shop', '40/40/60');
    const refunded = await told(order);
    expect(refunded.history.map(triple)).to.deep.equal(['0/0/0', '20/10/10', '40/40/50', '40/40/60']);
    const times = refunded.history.map(({ at }) => at);
    expect(times).to.deep.equal(times.toSorted());
    expect(refunded.attempts[0]?.holdStatus).to.equal('released');
    expect(refunded.refunds).to.have.length(1);
    expect(refunded.refunds[0]).to.include({ chargeId: charge.chargeId, status: 'confirmed' });
    expect(refunded.refunds[0]?.confirmedAt).to.be.a('string');
    expect(await search('?flagged=true')).to.deep.equal([]);
    expect(await search('?flagged=false')).to.include(order.orderId);
  });

  it('an undone attempt, in its history', async () => {
    shop.gateway.state.fault = ({ operation }) =>
      operation === 'create' ? { response: [422, { code: 'shop_closed' }] } : undefined;
    const order = await shop.create('shop', beans);
    expect((await shop.pay(order, 'shop')).code).to.equal(90303);
    expect((await told(order)).history.map(triple)).to.deep.equal(['0/0/0', '20/10/10', '40/40/40']);
  });

  it('goods by the name they had when the order was created, to the payer, too', async () => {
    const order = await shop.create('shop', beans);
    await shop.putGoods('beans', 'shop', {
      name: 'Winter beans',
      paymentOptions: [{ paymentOptionId: 'o', name: 'DEFAULT', pointAmount: 5, cashAmount: 10 }],
    });
    const names = (items: unknown) => (items as { name: string }[]).map(({ name }) => name);
    expect(names((await told(order)).items)).to.deep.equal(['Autumn beans']);
    expect(names((await shop.item(order, 'shop'))['items'])).to.deep.equal(['Autumn beans']);
  });

  it('callbacks of their own shops that match no payment', async () => {
    const order = await shop.create('shop', beans);
    ok(await shop.payUntilKnown(order, 'shop'));
    const stray = { chargeId: 'ch-nobody', orderNo: 'nothing', status: 'paid' as const };
    const charge = { ...shop.gateway.chargeOf(order.orderNo), ...stray };
    expect((await shop.gateway.callback(charge, { eventId: 'evt-stray' })).status).to.equal(200);
    const list = async (tenantId: string) =>
      ok(await shop.request('GET', '/admin/callbacks/unmatched', undefined, staff(tenantId))).data['items'] as {
        eventId: string;
        body: string;
      }[];
    const found = await list('shop');
    expect(found.map(({ eventId }) => eventId)).to.deep.equal(['evt-stray']);
    expect(JSON.parse(found[0]?.body ?? '')).to.include({ orderNo: 'nothing', chargeId: 'ch-nobody' });
    expect(await list('other')).to.deep.equal([]);
    const payer = { tenantId: 'shop', roles: ['viewer'] };
    const rejected = await shop.request('GET', '/admin/callbacks/unmatched', undefined, payer);
    expect(rejected.code).to.equal(90003);
  });

  it('payers list their own orders by status', async () => {
    const open = await shop.create('shop', beans, 'lister');
    const gone = await shop.create('shop', beans, 'lister');
    ok(await shop.cancel(gone, 'shop', 'lister'));
    const list = async (status?: string) =>
      shop.post('/user/order/list', { tenantId: 'shop', status }, { tenantId: 'shop', userId: 'lister' });
    const ids = async (status?: string) =>
      (ok(await list(status)).data['items'] as { orderId: string }[]).map(({ orderId }) => orderId);
    expect(await ids('CANCELLED')).to.deep.equal([gone.orderId]);
    expect(await ids('0')).to.deep.equal([open.orderId]);
    expect(await ids()).to.deep.equal([gone.orderId, open.orderId]);
    expect((await list('PAID')).code).to.equal(90001);
  });

  it('in the order asked for, with a cursor that fits no other order', async () => {
    for (const moneyAmount of [30, 10, 20])
      await shop.create('other', { grossMoneyAmount: moneyAmount, moneyAmount, title: 'Sorted' }, 'sorter');
    const list = (query: string) =>
      shop.request('GET', `/admin/orders?q=sorter&limit=2${query}`, undefined, staff('other'));
    const amounts = (items: unknown) => (items as { moneyAmount: number }[]).map(({ moneyAmount }) => moneyAmount);
    const { items, nextCursor } = ok(await list('&sort=-amount')).data;
    expect(amounts(items)).to.deep.equal([30, 20]);
    expect(amounts(ok(await list(`&sort=-amount&cursor=${nextCursor}`)).data['items'])).to.deep.equal([10]);
    for (const sort of ['', '&sort=amount']) expect((await list(`${sort}&cursor=${nextCursor}`)).code).to.equal(90001);
    expect((await list('&sort=payer')).code).to.equal(90001);
  });

  it('export their list as a file, as it is filtered, and nobody else’s', async () => {
    const open = await shop.create('shop', { ...beans, title: '=Beans' }, 'exporter');
    const gone = await shop.create('shop', { ...beans, title: 'Gone' }, 'exporter');
    ok(await shop.cancel(gone, 'shop', 'exporter'));
    await shop.create('other', { grossMoneyAmount: 100, moneyAmount: 100, title: 'Elsewhere' }, 'exporter');
    const read = (query: string, who: Parameters<typeof tokenFor>[0]) =>
      fetch(`${shop.base}/admin/orders.csv${query}`, { headers: { Authorization: `Bearer ${tokenFor(who)}` } });
    const response = await read('?q=exporter', staff('shop'));
    expect(response.headers.get('content-type')).to.equal('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).to.equal('attachment; filename="orders.csv"');
    const text = Buffer.from(await response.arrayBuffer()).toString();
    expect(text.startsWith('\uFEFForderId,orderNo,tenantId,title,userId,')).to.equal(true);
    const [, newest = '', older = '', ...more] = text.split('\r\n');
    expect(more).to.deep.equal(['']);
    expect(newest.split(',').toSpliced(5, 1).slice(0, 12)).to.deep.equal([
      gone.orderId,
      gone.orderNo,
      'shop',
      'Gone',
      'exporter',
      'CANCELLED',
      'NONE',
      'NONE',
      '20',
      '20',
      'TWD',
      '10',
    ]);
    expect(older.split(',').slice(0, 5)).to.deep.equal([open.orderId, open.orderNo, 'shop', "'=Beans", 'exporter']);
    const cancelled = await (await read('?q=exporter&status=CANCELLED', staff('shop'))).text();
    expect(cancelled.trim().split('\r\n')).to.have.length(2);
    expect((await read('?status=LOST', staff('shop'))).status).to.equal(400);
    expect((await read('', { tenantId: 'shop', roles: ['viewer'] })).status).to.equal(403);
  });
});
