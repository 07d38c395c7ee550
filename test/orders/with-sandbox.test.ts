import { expect } from 'chai';
import { eventually } from '../support/time/eventually.ts';
import { untilKnown } from './support/shop.ts';
import { readMetrics } from '../support/http/metrics.ts';
import { useStack } from '../support/fixtures/stack.ts';

interface Reply {
  code: number;
  data: Record<string, unknown>;
}

describe('The order service with the development sandbox', () => {
  const stack = useStack({ services: ['sandbox', 'orders'] });
  let token: string;

  async function call(method: string, path: string, body?: unknown): Promise<Reply> {
    const response = await fetch(`${stack.addresses.orders}/transaction/v1${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return (await response.json()) as Reply;
  }
  const sandbox = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${stack.addresses.sandbox}${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(response.status, `${path}: ${await response.clone().text()}`).to.be.lessThan(300);
    return (await response.json()) as Record<string, unknown>;
  };

  before(async () => {
    const minted = await sandbox('POST', '/sandbox/tokens', {
      sub: 'u-1',
      name: 'Ada',
      tenantId: 'cafe',
      roles: ['order_admin'],
    });
    token = String(minted['token']);
    expect(
      (await call('PUT', '/admin/tenants/cafe', { name: 'Cafe', businessType: 1, PAYGW_shopId: 'cafe' })).code,
    ).to.equal(1000);
  });

  it('is ready, describes itself, and serves metrics', async () => {
    const text = async (path: string) => {
      const response = await fetch(`${stack.addresses.orders}${path}`);
      return { status: response.status, body: await response.text() };
    };
    expect(await text('/healthz')).to.include({ status: 200 });
    await eventually('ready', async () => (await text('/readyz')).status === 200);
    expect((await readMetrics(stack.metrics.orders)).get('orders_holds_open')).to.equal(0);
    const document = JSON.parse((await text('/openapi.json')).body) as { openapi: string; paths: object };
    expect(document.openapi).to.equal('3.1.0');
    expect(Object.keys(document.paths)).to.include('/transaction/v1/user/order/{id}/pay');
    const [script = ''] = /\/docs\/scalar-[\d.]+\.js/.exec((await text('/docs')).body) ?? [];
    expect(await text(script)).to.include({ status: 200 });
    const examples = await fetch(`${stack.addresses.orders}/docs/sandbox-token`, { method: 'POST' });
    const { token: example } = (await examples.json()) as { token: string };
    const own = await fetch(`${stack.addresses.orders}/transaction/v1/user/points`, {
      method: 'POST',
      headers: { authorization: `Bearer ${example}`, 'content-type': 'application/json' },
      body: JSON.stringify({ tenantId: 'harbor-coffee' }),
    });
    expect(await own.json()).to.include({ code: 1000 });
    const unknown = await text('/transaction/v1/nothing');
    expect(JSON.parse(unknown.body)).to.include({ code: 90200, data: null });
  });

  it('create, item, pay, pay at the payment page, done', async () => {
    const created = await call('POST', '/user/order/create', {
      tenantId: 'cafe',
      grossMoneyAmount: 12.5,
      moneyAmount: 12.5,
    });
    expect(created.code).to.equal(1000);
    const { orderId, orderNo } = created.data;
    const paid = await untilKnown(() => call('POST', `/user/order/${String(orderId)}/pay`, { tenantId: 'cafe' }));
    expect(paid, JSON.stringify(paid)).to.include({ code: 1000 });
    expect(paid.data['paymentUrl']).to.be.a('string');
    const page = await fetch(String(paid.data['paymentUrl']));
    expect(page.status).to.equal(200);
    const { items } = (await sandbox('GET', `/sandbox/charges?orderNo=${String(orderNo)}`)) as {
      items: { chargeId: string; amount: number }[];
    };
    expect(items).to.have.length(1);
    expect(items[0]?.amount).to.equal(12.5);
    await sandbox('POST', `/sandbox/charges/${items[0]?.chargeId}:pay`, {});
    await eventually('done', async () => {
      const item = await call('POST', '/user/order/item', { tenantId: 'cafe', orderId });
      return item.data['orderStatus'] === 30 && item.data['paymentStatus'] === 30;
    });
  });
});
