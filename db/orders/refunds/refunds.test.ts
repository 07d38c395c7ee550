import { expect } from 'chai';
import { lineOf, openedPayment, seedGoods, seedOrder, seedTenants } from '#test/orders/support/order-rows.ts';
import { triple } from '#test/orders/support/shop.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { completePayment } from '../charges/ends.ts';
import { recordRead } from '../charges/reads.ts';
import type { Refund } from '../models/refunds.ts';
import { readPayment } from '../payments.ts';
import { confirmRefund, refundableMinor } from './refunds.ts';
import { requestRefund } from './requests.ts';

describe('refunds by staff', () => {
  const database = useDatabase('orders');
  before(() => seedTenants(database));

  /** An order over 10 units for two of its own goods that was paid. */
  async function paid(orderId: string): Promise<void> {
    await seedGoods(database, orderId, 2);
    await seedOrder(database, orderId, { lines: [lineOf(orderId, 2)] });
    await openedPayment(database, orderId, { chargeId: `ch-${orderId}` });
    const ref = { orderId, attempt: 1 };
    await recordRead(database, ref, { status: 'paid', amount: 10, currency: 'TWD', paidAt: null });
    await completePayment(database, ref, 'gateway');
  }

  const ask = (orderId: string, key: string, more: { amount?: number; restock?: boolean; reason?: string } = {}) =>
    requestRefund(
      database,
      { orderId, body: { key, reason: 'returned', ...more }, by: { userId: 's-1', name: 'Staff' } },
      () => Promise.resolve(),
    );
  async function granted(...[orderId, key, more]: Parameters<typeof ask>): Promise<Refund> {
    const decided = await ask(orderId, key, more);
    if (decided.kind !== 'accepted') throw new Error(decided.kind);
    return decided.refund;
  }
  const left = (orderId: string) => refundableMinor(database, orderId);

  it('give back at most what came, those that are not confirmed yet included', async () => {
    await paid('parts');
    expect(await ask('parts', 'too-much', { amount: 10.01 })).to.include({ kind: 'malformed', path: '/amount' });
    await granted('parts', 'some', { amount: 6 });
    expect(await left('parts')).to.equal(400);
    expect(await ask('parts', 'more', { amount: 4.01 })).to.include({ kind: 'malformed', path: '/amount' });
    await granted('parts', 'rest', { amount: 4 });
    expect(await left('parts')).to.equal(0);
  });

  it('are once per key, and a key stands for one refund', async () => {
    await paid('keys');
    const { refundId } = await granted('keys', 'k', { amount: 3 });
    expect((await granted('keys', 'k', { amount: 3 })).refundId).to.equal(refundId);
    expect(await ask('keys', 'k', { amount: 4 })).to.deep.equal({ kind: 'rejected', code: 90205 });
    expect(await left('keys')).to.equal(700);
  });

  it('change the order, and give its goods back, when they are confirmed, once', async () => {
    await paid('goods');
    const refund = await granted('goods', 'all', { restock: true });
    expect(triple(await readPayment(database, 'goods'))).to.equal('30/30/50');
    expect(await confirmRefund(database, refund)).to.equal(true);
    expect(await confirmRefund(database, refund)).to.equal(false);
    expect(triple(await readPayment(database, 'goods'))).to.equal('30/30/60');
    expect(await database('goods').where({ goods_id: 'goods' }).first('stock')).to.deep.equal({ stock: 2 });
    expect(await database('refund').where({ order_id: 'goods' }).pluck('status')).to.deep.equal(['confirmed']);
  });

  it('give goods back once, and only with all of the money', async () => {
    await paid('stock');
    expect(await ask('stock', 'part', { amount: 4, restock: true })).to.include({ path: '/restock' });
    await granted('stock', 'all', { restock: true });
    expect(await ask('stock', 'again', { amount: 0, restock: true })).to.include({ path: '/restock' });
  });

  it('are of orders that are paid', async () => {
    await seedOrder(database, 'unpaid');
    expect(await ask('unpaid', 'k')).to.deep.equal({ kind: 'rejected', code: 90202 });
    expect(await left('unpaid')).to.equal(0);
  });
});
