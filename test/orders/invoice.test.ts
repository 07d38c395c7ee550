import { expect } from 'chai';
import type { Statuses } from '#domain/orders/states.ts';
import { useOrders } from '../support/fixtures/orders.ts';
import { tokenFor } from './support/orders-service.ts';
import { ok, staff } from './support/shop.ts';

interface Shown extends Statuses {
  invoice: { number: string; issuedAt: string; voidedAt: string | null } | null;
}

describe('Invoices of orders', () => {
  const shop = useOrders({ worker: false, points: { tenant: 1000 }, tenants: { shop: {}, other: {} } });
  const first = { number: 'AB-12345678', issuedAt: '2026-11-22T10:00:00+08:00' };
  const shownFirst = { number: 'AB-12345678', issuedAt: '2026-11-22T02:00:00.000Z', voidedAt: null };

  const created = (more: object = {}) => shop.create('shop', { pointsPlan: { tenantPoints: 3 }, ...more });
  async function done() {
    const order = await created();
    ok(await shop.pay(order, 'shop'));
    return order;
  }
  const change = (order: { orderId: string }, body: object, tenantId = 'shop') =>
    shop.request('PATCH', `/admin/orders/${order.orderId}/invoice`, body, staff(tenantId));
  const stored = async (order: { orderId: string }) =>
    ((await shop.staffOrder(order, 'shop')) as unknown as Shown).invoice;
  const audited = ({ orderId }: { orderId: string }) =>
    shop
      .database('audit_entry')
      .where({ subject_id: orderId, action: 'order.invoice' })
      .orderBy('entry_id')
      .select('actor', 'before', 'after');

  it('are stored, shown to staff and audited; what is missing later stays', async () => {
    const order = await done();
    expect(await stored(order)).to.equal(null);
    const answer = await change(order, first);
    expect(answer).to.include({ status: 200, code: 1000 });
    expect((answer.data as unknown as Shown).invoice).to.deep.equal(shownFirst);
    expect(await stored(order)).to.deep.equal(shownFirst);
    ok(await change(order, { voidedAt: '2026-11-22T03:00:00Z' }));
    const voided = { ...shownFirst, voidedAt: '2026-11-22T03:00:00.000Z' };
    expect(await stored(order)).to.deep.equal(voided);
    expect(await audited(order)).to.deep.equal([
      { actor: 's-1', before: null, after: shownFirst },
      { actor: 's-1', before: shownFirst, after: voided },
    ]);
    ok(await change(order, { voidedAt: null, number: null }));
    expect(await stored(order), 'what GET shows as null is cleared by null').to.deep.equal(shownFirst);
    expect(await shop.item(order, 'shop'), 'the payer').not.to.have.property('invoice');
  });

  it('the same again is 200 and leaves no entry', async () => {
    const order = await done();
    for (const body of [first, first, { ...first, issuedAt: '2026-11-22T02:00:00Z', voidedAt: null }, {}])
      ok(await change(order, body));
    expect(await stored(order)).to.deep.equal(shownFirst);
    expect(await audited(order)).to.have.length(1);
  });

  it('another number only once the present one is voided: 90202', async () => {
    const order = await done();
    ok(await change(order, first));
    const second = { number: 'CD-1', issuedAt: '2026-11-23T10:00:00Z' };
    expect(await change(order, second)).to.include({ status: 409, code: 90202 });
    expect(await change(order, { ...second, voidedAt: '2026-11-24T10:00:00Z' })).to.include({ code: 90202 });
    expect(await stored(order)).to.deep.equal(shownFirst);
    ok(await change(order, { voidedAt: '2026-11-23T00:00:00Z' }));
    const incomplete = await change(order, { number: 'CD-1' });
    expect(incomplete).to.include({ code: 90001 });
    expect(incomplete.errors?.[0]?.path).to.equal('/issuedAt');
    ok(await change(order, second));
    expect(await stored(order)).to.deep.equal({ number: 'CD-1', issuedAt: '2026-11-23T10:00:00.000Z', voidedAt: null });
    const both = await Promise.all(['EF-1', 'GH-1'].map((number) => change(order, { ...second, number })));
    expect(both.map(({ code }) => code)).to.deep.equal([90202, 90202]);
  });

  it('of two first numbers at once one is stored, the other is 90202', async () => {
    const order = await done();
    const both = await Promise.all(['AA-1', 'BB-1'].map((number) => change(order, { ...first, number })));
    expect(both.map(({ code }) => code).toSorted((one, other) => one - other)).to.deep.equal([1000, 90202]);
    expect(await audited(order)).to.have.length(1);
  });

  it('90001 for a number, a time or a voiding that is none, and for half of a first one', async () => {
    const order = await done();
    for (const [body, path] of [
      [{ ...first, number: '' }, '/number'],
      [{ ...first, number: 'x'.repeat(65) }, '/number'],
      [{ ...first, number: '發票' }, '/number'],
      [{ ...first, number: 'a\nb' }, '/number'],
      [{ ...first, issuedAt: '2026-11-22T10:00:00' }, '/issuedAt'],
      [{ ...first, issuedAt: '2026-11-22' }, '/issuedAt'],
      [{ ...first, voidedAt: '2026-11-22T01:59:59.999Z' }, '/voidedAt'],
      [{ issuedAt: first.issuedAt }, '/number'],
      [{ number: first.number }, '/issuedAt'],
      [{ voidedAt: first.issuedAt }, '/number'],
    ] as const) {
      const refused = await change(order, body);
      expect(refused, JSON.stringify(body)).to.include({ status: 400, code: 90001 });
      expect(refused.errors?.[0]?.path).to.equal(path);
    }
    expect(await stored(order)).to.equal(null);
    ok(await change(order, { ...first, number: 'x'.repeat(64), voidedAt: first.issuedAt }));
    const late = await change(order, { issuedAt: '2026-11-22T10:00:00.001+08:00' });
    expect(late.errors?.[0]?.path, 'it was voided before').to.equal('/voidedAt');
  });

  it('only of a completed order (90202) of a tenant in reach (90200)', async () => {
    const open = await created();
    expect(await change(open, first)).to.include({ status: 409, code: 90202 });
    expect(await stored(open)).to.equal(null);
    const order = await done();
    expect(await change(order, first, 'other')).to.include({ status: 404, code: 90200 });
    expect(await stored(order)).to.equal(null);
    const payer = { userId: 'u-1', tenantId: 'shop', roles: [] };
    expect((await shop.request('PATCH', `/admin/orders/${order.orderId}/invoice`, first, payer)).code).to.equal(90003);
  });

  it('orders.csv ends with for whom to issue them, escaped as all', async () => {
    const data = { carrierId: '/ABC+123', npoban: '919', buyerIdentifier: '01234567', buyerName: '=Tea, "Co"' };
    await shop.create('shop', { grossMoneyAmount: 5, moneyAmount: 5, ...data }, 'of-file');
    await shop.create('shop', { grossMoneyAmount: 5, moneyAmount: 5 }, 'of-file');
    const response = await fetch(`${shop.base}/admin/orders.csv?q=of-file`, {
      headers: { authorization: `Bearer ${tokenFor(staff('shop'))}` },
    });
    const [header = '', without = '', full = ''] = (await response.text()).split('\r\n');
    expect(header.split(',').slice(-5)).to.deep.equal([
      'createdAt',
      'carrierId',
      'npoban',
      'buyerIdentifier',
      'buyerName',
    ]);
    expect(without.endsWith('Z,,,,')).to.equal(true);
    expect(full.endsWith(`Z,/ABC+123,919,01234567,"'=Tea, ""Co"""`)).to.equal(true);
  });
});
