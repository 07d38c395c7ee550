import { expect } from 'chai';
import { gatewayCalls } from '../testing/gateway-calls.ts';
import { startRunning } from '../testing/running.ts';
import type { Running } from '../testing/running.ts';

describe('sandbox: the payment gateway lists charges', () => {
  let running: Running;
  before(async () => {
    running = await startRunning();
  });
  after(() => running.end());

  const { api, created, pay, paid, refund } = gatewayCalls(() => running);
  const list = (query: Record<string, string>) => api('GET', `?${new URLSearchParams(query).toString()}`);
  const ever = { from: '2020-01-01T00:00:00Z', to: '2099-01-01T00:00:00Z' };
  const numbers = (items: Array<Record<string, unknown>>) => items.map(({ orderNo }) => orderNo);

  it('B15: a shop’s charges with their orders, in pages of 100, oldest first, each once', async () => {
    const orders = Array.from({ length: 201 }, (_, index) => `many-${index}`);
    for (const orderNo of orders) await created(`charge:${orderNo}`, { orderNo, shopId: 'shop-many' });
    await created('charge:other', { shopId: 'shop-other' });
    const seen: unknown[] = [];
    const sizes: number[] = [];
    for (let cursor: unknown = ''; cursor !== null;) {
      const { status, body } = await list({
        ...ever,
        shopId: 'shop-many',
        ...(cursor ? { cursor: String(cursor) } : {}),
      });
      expect(status, body.code).to.equal(200);
      seen.push(...numbers(body.items));
      sizes.push(body.items.length);
      cursor = body['nextCursor'];
      // What is paid meanwhile neither moves a charge to another page nor repeats it.
      await pay(String(body.items[0]?.['chargeId']));
    }
    expect(sizes).to.deep.equal([100, 100, 1]);
    expect(seen).to.deep.equal(orders);
    const two = await list({ ...ever, shopId: 'shop-many', limit: '2' });
    expect(numbers(two.body.items)).to.deep.equal(['many-0', 'many-1']);
  });

  it('B15: shows what was paid, when, and what was given back', async () => {
    const chargeId = await paid('charge:shown', { shopId: 'shop-shown', orderNo: 'o-shown' });
    await refund(chargeId, 'refund:shown', { amount: 20.5 });
    const { items, nextCursor } = (await list({ ...ever, shopId: 'shop-shown' })).body;
    const { body: charge } = await api('GET', `/${chargeId}`);
    expect(nextCursor).to.equal(null);
    expect(items).to.have.length(1);
    expect(items[0]).to.include({ ...charge, orderNo: 'o-shown', status: 'paid', refundedAmount: 20.5 });
    expect(items[0]?.['paidAt']).to.be.a('string');
  });

  it('B15: a charge belongs to the period in which it was created, and to the one in which it was paid', async () => {
    const chargeId = await created('charge:period', { shopId: 'shop-period', orderNo: 'o-period' });
    const within = async (from: string, to: string) =>
      numbers((await list({ shopId: 'shop-period', from, to })).body.items).length === 1;
    const [item] = (await list({ ...ever, shopId: 'shop-period' })).body.items;
    const createdAt = String(item?.['createdAt']);
    expect(await within(createdAt, '2099-01-01T00:00:00+08:00')).to.equal(true);
    expect(await within('2020-01-01T00:00:00Z', createdAt)).to.equal(false);
    await running.restart();
    await pay(chargeId);
    const paidAt = String((await api('GET', `/${chargeId}`)).body['paidAt']);
    expect(paidAt > createdAt).to.equal(true);
    expect(await within(paidAt, '2099-01-01T00:00:00Z')).to.equal(true);
    const between = new Date(Date.parse(createdAt) + 1).toISOString();
    expect(await within(between, paidAt)).to.equal(false);
    expect(await within('2020-01-01T00:00:00Z', paidAt)).to.equal(true);
  });

  it('B15: refuses a period without ends, an unknown cursor and callers without the key', async () => {
    const period = { ...ever, shopId: 'shop-1' };
    const wrong = Object.entries({ from: 'yesterday', shopId: '', cursor: 'none', limit: '101' });
    for (const [name, value] of wrong) expect((await list({ ...period, [name]: value })).status, name).to.equal(400);
    expect((await api('GET', '')).status).to.equal(400);
    const path = `/payment-gateway/v1/charges?${new URLSearchParams(period).toString()}`;
    expect((await running.call('GET', path)).status).to.equal(401);
  });
});
