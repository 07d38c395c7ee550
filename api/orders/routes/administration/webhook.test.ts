import { expect } from 'chai';
import { useReceiver, verified } from '#test/orders/support/merchant-receiver.ts';
import { ok, staff } from '#test/orders/support/shop.ts';
import { useOrders } from '#test/support/fixtures/orders.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { createOutsideAddresses } from '#clients/addresses/outside-addresses.ts';
import { newWebhookSecret } from '#clients/webhooks/standard-webhooks.ts';
import type { DeliveryData } from '#domain/orders/administration/merchant-events.ts';
import type { OpenShop } from '#test/orders/support/shop.ts';

const cash = { grossMoneyAmount: 100, moneyAmount: 100 };

/** Shorthands for a shop's webhooks. */
const calls = (shop: OpenShop) => ({
  put: (tenantId: string, body: object, as = staff(tenantId)) =>
    shop.request('PUT', `/admin/tenants/${tenantId}/webhook`, body, as),
  get: (tenantId: string, as = staff(tenantId)) =>
    shop.request('GET', `/admin/tenants/${tenantId}/webhook`, undefined, as),
  remove: (tenantId: string, as = staff(tenantId)) =>
    shop.request('DELETE', `/admin/tenants/${tenantId}/webhook`, undefined, as),
  test: (tenantId: string, as = staff(tenantId)) =>
    shop.request('POST', `/admin/tenants/${tenantId}/webhook:test`, {}, as),
  redeliver: (deliveryId: string, as = staff('shop')) =>
    shop.request('POST', `/admin/deliveries/${deliveryId}:redeliver`, {}, as),
  deliveries: async (query: Record<string, string> = {}, as = staff('shop')) =>
    ok(await shop.request('GET', `/admin/deliveries?${new URLSearchParams(query).toString()}`, undefined, as))
      .data as unknown as { items: DeliveryData[]; nextCursor: string | null },
});

describe('Webhooks of tenants', () => {
  const shop = useOrders({
    tenants: { shop: {}, other: {}, member: { headquartersTenantId: 'shop' } },
  });
  const { put, get, remove, test, redeliver, deliveries } = calls(shop);
  const url = 'https://merchant.example/hook';

  it('B14: PUT without a secret makes one and shows it once; a new PUT makes a new one', async () => {
    const first = ok(await put('shop', { url })).data;
    expect(first['secret']).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(first).to.include({ tenantId: 'shop', url });
    const { data } = ok(await get('shop'));
    expect(Object.keys(data).toSorted()).to.deep.equal(['tenantId', 'updatedAt', 'url']);
    const second = ok(await put('shop', { url, secret: null })).data;
    expect(second['secret']).to.be.a('string').and.not.equal(first['secret']);
  });

  it('B14: PUT with a secret does not repeat it; it is stored encrypted', async () => {
    const secret = newWebhookSecret();
    expect(ok(await put('shop', { url, secret })).data).to.not.have.property('secret');
    const [row] = await shop.database('webhook').where({ tenant_id: 'shop' });
    expect(JSON.stringify(row)).to.not.contain(secret.slice('whsec_'.length));
  });

  it('B14: DELETE removes it, and GET says so', async () => {
    ok(await put('other', { url }));
    expect(ok(await remove('other')).data).to.include({ url });
    expect(ok(await get('other')).data).to.equal(null);
    expect(ok(await remove('other')).data).to.equal(null);
  });

  it('B14: an address that is not allowed, or a secret that is none, is 90001 with the path', async () => {
    for (const [body, path] of [
      [{ url: 'http://merchant.example/' }, '/url'],
      [{ url: 'ftp://merchant.example/' }, '/url'],
      [{ url: 'https://a:b@merchant.example/' }, '/url'],
      [{}, '/url'],
      [{ url, secret: 'whsec_short' }, '/secret'],
      [{ url, secret: `whsec_${'A'.repeat(33)}` }, '/secret'],
      [{ url, secret: `whsec_${Buffer.alloc(65).toString('base64')}` }, '/secret'],
    ] as const) {
      const response = await put('shop', body);
      expect(response.code, JSON.stringify(body)).to.equal(90001);
      expect(response.errors?.map((error) => error.path)).to.deep.equal([path]);
    }
    for (const bytes of [24, 25, 26, 63, 64])
      ok(await put('shop', { url, secret: `whsec_${Buffer.alloc(bytes, 1).toString('base64')}` }));
  });

  it('B14: staff reach their own tenant and its members; others get 90003, an unknown tenant 90201', async () => {
    for (const call of [put, get, remove, test] as ((id: string, ...rest: never[]) => Promise<{ code: number }>)[]) {
      const ask = (tenantId: string, as: ReturnType<typeof staff>) =>
        call === (put as unknown) ? put(tenantId, { url }, as) : (call as typeof get)(tenantId, as);
      expect((await ask('other', staff('shop'))).code).to.equal(90003);
      expect((await ask('shop', { ...staff('shop'), roles: [] })).code).to.equal(90003);
      expect((await ask('nobody', staff('nobody'))).code).to.equal(90201);
    }
    ok(await put('member', { url }, staff('shop')));
    expect((await test('other')).code).to.equal(90201);
  });

  it('B14: every write is audited, without the secret', async () => {
    const secret = newWebhookSecret();
    ok(await put('shop', { url, secret }));
    ok(await put('shop', { url: `${url}/2`, secret }));
    const delivery = ok(await test('shop')).data as unknown as DeliveryData;
    ok(await redeliver(delivery.deliveryId));
    ok(await remove('shop'));
    const entries = await shop
      .database('audit_entry')
      .where({ tenant_id: 'shop' })
      .orderBy('entry_id', 'desc')
      .limit(5);
    expect(
      entries
        .toReversed()
        .map(({ actor, action, subjectType, subjectId, before, after }) => [
          actor,
          action,
          `${subjectType} ${subjectId}`,
          before,
          after,
        ]),
    ).to.deep.equal([
      ['s-1', 'webhook.put', 'webhook shop', { url: `${url}` }, { url }],
      ['s-1', 'webhook.put', 'webhook shop', { url }, { url: `${url}/2` }],
      ['s-1', 'webhook.test', 'webhook shop', null, { deliveryId: delivery.deliveryId }],
      [
        's-1',
        'delivery.redeliver',
        `delivery ${delivery.deliveryId}`,
        { status: 'pending', attempts: 0 },
        { status: 'pending' },
      ],
      ['s-1', 'webhook.delete', 'webhook shop', { url: `${url}/2` }, null],
    ]);
    expect(JSON.stringify(entries)).to.not.contain('whsec_');
  });

  it('B14: deliveries are listed newest first by pages, by order, for the own tenant and its members', async () => {
    for (const tenantId of ['shop', 'member', 'other']) ok(await put(tenantId, { url }));
    const orders = [];
    for (const tenantId of ['shop', 'member', 'other', 'shop']) orders.push(await shop.create(tenantId, cash));
    const mine = orders.filter((_, index) => index !== 2).map(({ orderId }) => orderId);
    const pages = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof deliveries>> = await deliveries({
        limit: '1',
        ...(cursor ? { cursor } : {}),
      });
      pages.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor !== null && pages.length < 3);
    expect(pages.map(({ orderId }) => orderId)).to.deep.equal(mine.toReversed());
    const [first] = pages;
    expect(first).to.deep.include({ type: 'order.created', status: 'pending', attempts: 0, lastStatus: null });
    expect(first?.nextAttemptAt).to.be.a('string');

    const [own, , foreign] = orders;
    expect((await deliveries({ orderId: own?.orderId ?? '' })).items).to.have.length(1);
    expect((await deliveries({ orderId: foreign?.orderId ?? '' })).items).to.deep.equal([]);
    const odd = await shop.request('GET', '/admin/deliveries?cursor=odd', undefined, staff('shop'));
    expect(odd.code).to.equal(90001);
  });

  it('B14: only deliveries in reach can be delivered again: 90200', async () => {
    ok(await put('other', { url }));
    const foreign = ok(await test('other')).data as unknown as DeliveryData;
    for (const id of [foreign.deliveryId, 'none', '01890000-0000-7000-8000-000000000000'])
      expect((await redeliver(id)).code).to.equal(90200);
  });

  it('B14: what is open when the webhook is removed is given up; there is nowhere to deliver it again', async () => {
    ok(await put('shop', { url }));
    const order = await shop.create('shop', cash);
    ok(await shop.cancel(order, 'shop'));
    ok(await remove('shop'));
    const { items } = await deliveries({ orderId: order.orderId });
    expect(items.map(({ status, nextAttemptAt }) => [status, nextAttemptAt])).to.deep.equal([
      ['failed', null],
      ['failed', null],
    ]);
    expect((await redeliver(items[0]?.deliveryId ?? '')).code).to.equal(90201);
  });
});

describe('Deliveries again, and test events', () => {
  const shop = useOrders({ relay: true });
  const merchant = useReceiver();
  const { put, test, redeliver, deliveries } = calls(shop);
  const secret = newWebhookSecret();
  before(async () => void ok(await put('shop', { url: merchant.url, secret })));
  beforeEach(() => {
    merchant.state.respond = merchant.accept;
  });

  it('B14: a test event is signed and delivered like any other, and has no order', async () => {
    const delivery = ok(await test('shop')).data as unknown as DeliveryData;
    expect(delivery).to.deep.include({ type: 'webhook.test', orderId: null, status: 'pending' });
    await eventually('it is there', () => merchant.received.some(({ eventId }) => eventId === delivery.eventId));
    const call = merchant.received.find(({ eventId }) => eventId === delivery.eventId);
    if (!call) throw new Error('nothing was received');
    expect(verified(secret, call)).to.deep.include({ type: 'webhook.test', data: { tenantId: 'shop' } });
  });

  it('B14: a delivered event is delivered again, with its id and body, and a fresh signature', async () => {
    const order = await shop.create('shop', cash);
    const shown = async () => (await deliveries({ orderId: order.orderId })).items[0];
    await eventually('it is delivered', async () => (await shown())?.status === 'delivered');
    expect(await shown()).to.deep.include({ attempts: 1, lastStatus: 204, nextAttemptAt: null });
    expect(ok(await redeliver((await shown())?.deliveryId ?? '')).data).to.deep.include({ status: 'pending' });
    await eventually('it came twice', () => merchant.of(order).length === 2);
    const [first, second] = merchant.of(order);
    expect(second?.eventId).to.equal(first?.eventId);
    expect(second?.body).to.equal(first?.body);
    await eventually('it is delivered again', async () => (await shown())?.status === 'delivered');
    expect(await shown()).to.deep.include({ attempts: 2 });
  });

  it('B14: an event that is waiting for its next attempt is delivered now; what failed is shown', async () => {
    let answer = 503;
    merchant.state.respond = (_, response) => void response.writeHead(answer).end();
    const order = await shop.create('shop', cash);
    const shown = async () => (await deliveries({ orderId: order.orderId })).items[0];
    await eventually('it was tried', async () => (await shown())?.lastStatus === 503);
    await shop
      .database('delivery')
      .where({ delivery_id: (await shown())?.deliveryId })
      .update({ next_attempt_at: new Date(Date.now() + 3_600_000) });
    answer = 200;
    ok(await redeliver((await shown())?.deliveryId ?? ''));
    await eventually('it is delivered', async () => (await shown())?.status === 'delivered');
  });
});

describe('Webhooks in production', () => {
  const shop = useOrders({
    worker: false,
    targets: createOutsideAddresses({
      production: true,
      resolve: (name, done) =>
        done(null, [{ address: name === 'inside.example' ? '10.0.0.8' : '93.184.215.14', family: 4 }]),
    }),
  });
  const { put } = calls(shop);

  it('B14: private addresses are refused: 90001 with the path /url', async () => {
    for (const url of ['http://merchant.example/', 'https://127.0.0.1/', 'https://[::1]/', 'https://inside.example/']) {
      const response = await put('shop', { url });
      expect(response.code, url).to.equal(90001);
      expect(response.errors?.map(({ path }) => path)).to.deep.equal(['/url']);
    }
    ok(await put('shop', { url: 'https://merchant.example/' }));
  });
});
