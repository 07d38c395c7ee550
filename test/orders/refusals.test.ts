import { expect } from 'chai';
import { callbackSignatureMatches, signCallback } from '#domain/orders/callback.ts';
import { rawConnection } from '../support/http/raw-connection.ts';
import { eventually } from '../support/time/eventually.ts';
import { tokenFor } from './support/orders-service.ts';
import { ok, staff, triple, untilKnown } from './support/shop.ts';
import { useOrders } from '../support/fixtures/orders.ts';

describe('Errors of the order service', () => {
  const shop = useOrders({
    payDeadlineMs: 1500,
    tenants: {
      shop: { districtId: 'd', headquartersTenantId: 'hq' },
      owner: {},
      hq: {},
      noshop: { PAYGW_shopId: null },
    },
  });
  const create = (body: unknown, as: object | null = {}) => shop.post('/user/order/create', body, as);
  const cash = { tenantId: 'shop', grossMoneyAmount: 10, moneyAmount: 10 };

  beforeEach(() => {
    shop.gateway.state.fault = () => undefined;
  });

  it('90002: missing or invalid token', async () => {
    expect(await create(cash, null)).to.include({ status: 401, code: 90002, data: null });
    const response = await fetch(`${shop.base}/user/order/create`, {
      method: 'POST',
      headers: { authorization: 'Bearer %%', 'content-type': 'text/plain' },
      body: 'x',
    });
    expect(response.status).to.equal(401);
  });

  it('90001: 415, 413, invalid JSON and malformed fields, each with errors', async () => {
    const send = (headers: Record<string, string>, body: string) =>
      fetch(`${shop.base}/user/order/create`, {
        method: 'POST',
        headers: { authorization: `Bearer ${tokenFor({})}`, ...headers },
        body,
      }).then(async (response) => [response.status, ((await response.json()) as { code: number }).code]);
    expect(await send({ 'content-type': 'text/plain' }, '{}')).to.deep.equal([415, 90001]);
    const json = { 'content-type': 'application/json' };
    expect(await send({ ...json, 'content-encoding': 'gzip' }, JSON.stringify(cash))).to.deep.equal([415, 90001]);
    const read = { headers: { authorization: `Bearer ${tokenFor({})}` } };
    const { origin, pathname } = new URL(`${shop.base}/user/order/list`);
    expect((await fetch(`${origin}${pathname.toUpperCase()}`, read)).status).to.equal(404);
    const large = JSON.stringify({ ...cash, title: 'x'.repeat(1_100_000) });
    expect(await send({ 'content-type': 'application/json' }, large)).to.deep.equal([413, 90001]);
    expect(await send({ 'content-type': 'application/json' }, '{"a":')).to.deep.equal([400, 90001]);
    for (const wrong of [
      '{"tenantId":"shop","grossMoneyAmount":1e400,"moneyAmount":1e400}',
      { ...cash, moneyAmount: '10' },
      { ...cash, moneyAmount: -1 },
      { ...cash, moneyAmount: 10_000_000_000 },
      { ...cash, title: 'x'.repeat(2001) },
      { ...cash, title: 'a\u0000b' },
      { ...cash, npoban: '12' },
      { ...cash, buyerIdentifier: '1234567' },
      { ...cash, pointsPlan: { tenantPoints: 1.5 } },
      { ...cash, pointsPlan: { couponIds: ['a', 'a'] } },
      { ...cash, items: [{ goodsId: 'g', qty: 0 }] },
      { ...cash, tenantId: null },
      [],
    ]) {
      const result = await create(wrong);
      expect(result, JSON.stringify(wrong).slice(0, 80)).to.include({ status: 400, code: 90001 });
      expect(result.errors).to.be.an('array').and.not.to.equal([]);
    }
  });

  it('unknown keys are ignored, null counts as missing, carrierType is always 3J0002', async () => {
    const created = ok(
      await create({ ...cash, carrierType: 'mine', title: null, pointsPlan: null, __proto__: {}, x: 1 }),
    );
    const item = await shop.item(created.data, 'shop');
    expect(item).to.include({ carrierType: '3J0002', title: null });
    expect(item['pointsPlan']).to.deep.equal({
      tenantPoints: 0,
      districtPoints: 0,
      walletPoints: 0,
      couponIds: [],
      earnLimitInfos: [],
    });
  });

  it('90003: another tenant or staff without the role; the headquarters of the tenant is allowed', async () => {
    expect(await create(cash, { tenantId: 'elsewhere' })).to.include({ status: 403, code: 90003 });
    ok(await create(cash, { tenantId: 'hq' }));
    const put = { name: 'x', businessType: 0 };
    expect((await shop.request('PUT', '/admin/tenants/shop', put, { tenantId: 'shop' })).code).to.equal(90003);
    expect((await shop.request('PUT', '/admin/tenants/shop', put, staff('elsewhere'))).code).to.equal(90003);
  });

  it('S1-PY1, S1-ER9: 90200: tenantId missing or wrong, another user, no such order', async () => {
    const order = await shop.create('shop', { ...cash });
    for (const body of [{}, { tenantId: null }, { tenantId: 'owner' }])
      expect(await shop.post(`/user/order/${order.orderId}/pay`, body)).to.include({ status: 404, code: 90200 });
    expect((await shop.pay(order, 'shop', {}, 'u-2')).code).to.equal(90200);
    expect((await shop.pay({ orderId: 'nothing' }, 'shop')).code).to.equal(90200);
    expect((await shop.post('/user/order/item', { tenantId: 'owner', orderId: order.orderId })).code).to.equal(90200);
  });

  it('S1-LM1: 90001 at pay: reserveTimeoutSeconds out of range, URLs that are not http(s)', async () => {
    const order = await shop.create('shop', { ...cash });
    for (const more of [
      { reserveTimeoutSeconds: 59 },
      { reserveTimeoutSeconds: 86_401 },
      { reserveTimeoutSeconds: 60.5 },
      { resultURL: 'javascript:alert(1)' },
      { cancelURL: 'ftp://a.test/' },
    ])
      expect((await shop.pay(order, 'shop', more)).code, JSON.stringify(more)).to.equal(90001);
    ok(await shop.payUntilKnown(order, 'shop', 'u-1', { reserveTimeoutSeconds: 60, resultURL: null, amount: 1 }));
  });

  it('S1-PAY2, S1-ER10: 90204 before anything is held, and only if cash is due; the shop in question is the order tenant’s', async () => {
    await shop.grant('noshop', 'wallet', 100);
    const order = await shop.create('noshop', {
      grossMoneyAmount: 10,
      moneyAmount: 9,
      pointsPlan: { walletPoints: 4 },
    });
    expect(await shop.payUntilKnown(order, 'noshop')).to.include({ status: 409, code: 90204, data: null });
    expect((await shop.points('noshop')).wallet).to.deep.equal({ available: 100, reserved: 0, committed: 0 });
    const free = await shop.create('noshop', { grossMoneyAmount: 1, moneyAmount: 0, pointsPlan: { walletPoints: 4 } });
    expect(triple(ok(await shop.payUntilKnown(free, 'noshop')).data)).to.equal('30/30/0');
    await shop.putTenant('noshop');
    ok(await shop.payUntilKnown(order, 'noshop'));
  });

  it('S1-PAY2: headquarters pay for a member tenant: the member’s shop is charged, the payer’s points there are used', async () => {
    await shop.grant('shop', 'wallet', 8, 'u-hq');
    const payer = { tenantId: 'hq', userId: 'u-hq' };
    const order = { tenantId: 'shop', grossMoneyAmount: 10, moneyAmount: 8, pointsPlan: { walletPoints: 8 } };
    const { data } = ok(await create(order, payer));
    ok(await untilKnown(() => shop.post(`/user/order/${data.orderId}/pay`, { tenantId: 'shop' }, payer)));
    expect(shop.gateway.chargeOf(data.orderNo).shopId).to.equal('paygw-shop');
  });

  it('90300 and 90039: the order stays 0/0/0 and can be paid once there is enough', async () => {
    const order = await shop.create('shop', { pointsPlan: { tenantPoints: 5 } }, 'poor');
    expect(await shop.payUntilKnown(order, 'shop', 'poor')).to.include({ status: 409, code: 90300, data: null });
    expect(triple(await shop.item(order, 'shop', 'poor'))).to.equal('0/0/0');
    await shop.grant('shop', 'tenant', 5, 'poor');
    expect(triple(ok(await shop.payUntilKnown(order, 'shop', 'poor')).data)).to.equal('30/30/0');
  });

  it('S1-PAY1, S1-R4: goods of another tenant: its points are reserved; stored amounts do not follow changes of the goods', async () => {
    await shop.grant('owner', 'tenant', 50, 'u-goods');
    const option = { paymentOptionId: 'o', name: 'DEFAULT', pointAmount: 20, cashAmount: 1.5 };
    await shop.putGoods('lent', 'owner', { stock: 3, paymentOptions: [option] });
    const order = await shop.create(
      'shop',
      { items: [{ goodsId: 'lent' }], pointsPlan: { tenantPoints: 20 } },
      'u-goods',
    );
    await shop.putGoods('lent', 'owner', { stock: 3, paymentOptions: [{ ...option, pointAmount: 1, cashAmount: 99 }] });
    ok(await shop.payUntilKnown(order, 'shop', 'u-goods'));
    expect((await shop.points('owner', 'u-goods')).tenant).to.deep.equal({ available: 30, reserved: 20, committed: 0 });
    expect(shop.gateway.chargeOf(order.orderNo)).to.include({ amount: 1.5, shopId: 'paygw-shop' });
    await shop.gateway.pay(order.orderNo);
    await shop.until(order, 'shop', '30/30/30', 'u-goods');
    expect((await shop.points('owner', 'u-goods')).tenant.committed).to.equal(20);
  });

  it('90304 with the statuses while a charge is unknown; another pay waits for the same charge', async () => {
    shop.gateway.state.fault = ({ operation }) => (operation === 'create' ? 'lost' : undefined);
    const order = await shop.create('shop', { ...cash });
    const unknown = await eventually('holds are reported, too', async () => {
      const result = await shop.pay(order, 'shop');
      expect(result).to.include({ status: 503, code: 90304 });
      return triple(result.data) !== '0/0/0' && result;
    });
    expect(triple(unknown.data)).to.equal('20/0/10');
    expect(unknown.data.paymentUrl).to.equal(null);
    shop.gateway.state.fault = () => undefined;
    const known = ok(await shop.payUntilKnown(order, 'shop'));
    expect(known.data.paymentUrl).to.equal(`http://pay.test/${shop.gateway.chargeOf(order.orderNo).chargeId}`);
    const charges = [...shop.gateway.charges.values()].filter((charge) => charge.orderNo === order.orderNo);
    expect(charges).to.have.length(1);
  });

  it('90304 without a worker; the next pay after its return succeeds', async () => {
    await shop.stopWorkers();
    const order = await shop.create('shop', { ...cash });
    expect(await shop.pay(order, 'shop')).to.include({ status: 503, code: 90304 });
    await shop.startWorker();
    ok(await shop.payUntilKnown(order, 'shop'));
  });

  it('callback: 401 for a missing, wrong or old signature; unmatched ones are recorded', async () => {
    const body = JSON.stringify({
      eventId: 'e-nobody',
      type: 'charge.paid',
      chargeId: 'ch-nobody',
      orderNo: 'nobody',
      shopId: 's',
      amount: 1,
      currency: 'TWD',
      paidAt: new Date().toISOString(),
    });
    const now = Math.floor(Date.now() / 1000);
    const send = (signature: string | null, text = body, more = {}) =>
      fetch(`${shop.base}/payment-gateway/callback`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(signature ? { 'x-gateway-signature': signature } : {}),
          ...more,
        },
        body: text,
      }).then((response) => response.status);
    const { webhookSecret } = shop.gateway;
    expect(await send(null)).to.equal(401);
    expect(await send(signCallback('another', now, body))).to.equal(401);
    const packed = { 'content-encoding': 'gzip' };
    expect(await send(signCallback('another', now, body), body, packed)).to.equal(401);
    expect(await send(signCallback(webhookSecret, now, body), body, packed)).to.equal(415);
    expect(await send(signCallback(webhookSecret, now - 301, body))).to.equal(401);
    expect(await send(signCallback(webhookSecret, now, body), `${body} `)).to.equal(401);
    expect(await send(signCallback(webhookSecret, now, '{}'), '{}')).to.equal(400);
    expect(await send(signCallback(webhookSecret, now, body))).to.equal(200);
    expect(await send(signCallback(webhookSecret, now, body))).to.equal(200);
  });

  it('callback: one whose signature cannot hold is refused before its body', async () => {
    const { origin, pathname } = new URL(`${shop.base}/payment-gateway/callback`);
    for (const signature of [[], [`x-gateway-signature: ${signCallback('any', 1_000_000, '')}`]]) {
      const caller = rawConnection(origin);
      caller.send(`POST ${pathname} HTTP/1.1`, 'host: orders', ...signature, 'content-length: 1000000', '', '');
      await eventually('the refusal', () => caller.heard().startsWith('HTTP/1.1 401'));
      caller.close();
    }
  });

  it('signature boundaries: exactly 300 s either way', () => {
    const body = Buffer.from('{}');
    const at = (seconds: number) =>
      callbackSignatureMatches(['s'], signCallback('s', seconds, body), body, new Date(1_000_000_900));
    expect([at(999_700), at(1_000_300), at(999_699), at(1_000_301)]).to.deep.equal([true, true, false, false]);
  });

  it('a callback may be signed with either of two secrets while they change', () => {
    const body = Buffer.from('{}');
    const signedBy = (secret: string) =>
      callbackSignatureMatches(['new', 'old'], signCallback(secret, 1_000_000, body), body, new Date(1_000_000_000));
    expect([signedBy('new'), signedBy('old'), signedBy('older')]).to.deep.equal([true, true, false]);
  });

  it('90201, 90001, 90205 in the administration; grants count once per key', async () => {
    const goods = { tenantId: 'shop', name: 'g', pricingType: 'RATE_CONVERTED', stock: 1 };
    const put = (body: object) => shop.request('PUT', '/admin/goods/conv', body, staff('shop'));
    const option = { paymentOptionId: 'o', name: 'x', pointAmount: 0, cashAmount: 5 };
    for (const paymentOptions of [
      [option, { ...option, paymentOptionId: 'p' }],
      [{ ...option, pointAmount: 1 }],
      [{ ...option, cashAmount: 1.5 }],
      [],
    ])
      expect((await put({ ...goods, paymentOptions })).code).to.equal(90001);
    const nowhere = { userId: 'u', tenantId: 'nowhere', kind: 'tenant', amount: 5, key: 'k' };
    expect((await shop.post('/admin/points/grant', nowhere, staff('nowhere'))).code).to.equal(90201);
    const grant = { ...nowhere, tenantId: 'shop', userId: 'keyed' };
    ok(await shop.post('/admin/points/grant', grant, staff('shop')));
    ok(await shop.post('/admin/points/grant', grant, staff('shop')));
    expect((await shop.points('shop', 'keyed')).tenant.available).to.equal(5);
    expect((await shop.post('/admin/points/grant', { ...grant, amount: 6 }, staff('shop'))).code).to.equal(90205);
  });

  it('lists page through the payer’s own orders, newest first; staff search by status and text', async () => {
    const orders = [];
    for (const title of ['one', 'two', 'three']) orders.push(await shop.create('shop', { ...cash, title }, 'lister'));
    const list = (cursor?: string) =>
      shop.post('/user/order/list', { tenantId: 'shop', limit: 2, cursor }, { userId: 'lister' });
    const first = ok(await list()).data as unknown as { items: { title: string }[]; nextCursor: string };
    const second = ok(await list(first.nextCursor)).data as unknown as typeof first;
    expect([...first.items, ...second.items].map(({ title }) => title)).to.deep.equal(['three', 'two', 'one']);
    expect(second.nextCursor).to.equal(null);
    expect((await list('rubbish')).code).to.equal(90001);
    const search = ok(await shop.request('GET', '/admin/orders?status=CREATED&q=thre', undefined, staff('hq')));
    expect((search.data['items'] as { userId: string }[]).map(({ userId }) => userId)).to.deep.equal(['lister']);
    expect((await shop.request('GET', '/admin/orders?status=99', undefined, staff('hq'))).code).to.equal(90001);
    expect((await shop.request('GET', '/admin/orders/none', undefined, staff('hq'))).code).to.equal(90200);
  });
});
