import { expect } from 'chai';
import type { RefundOrder } from '#domain/orders/administration/refunds.ts';
import { lineOf, openedPayment, seedGoods, seedOrder, seedTenants } from '#test/orders/support/order-rows.ts';
import { triple } from '#test/orders/support/shop.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { decideApproval } from '../approvals/decide.ts';
import { approvalsOf } from '../approvals/approvals.ts';
import { completePayment } from '../charges/ends.ts';
import { recordRead } from '../charges/reads.ts';
import { Coupon } from '../models/catalogue.ts';
import { PointAccount } from '../models/points.ts';
import { Refund } from '../models/refunds.ts';
import { readPayment } from '../payments.ts';
import { confirmRefund, refundableMinor } from './refunds.ts';
import { requestRefund } from './requests.ts';

const anna = { userId: 's-1', name: 'Anna' };
const ben = { userId: 's-2', name: 'Ben' };
const nothing = () => Promise.resolve();

describe('refunds by line', () => {
  const database = useDatabase('orders');
  before(async () => {
    await seedTenants(database);
    await PointAccount.query(database).insert({
      tenantId: 'shop',
      userId: 'payer',
      kind: 'tenant',
      granted: 1000,
      available: 1000,
    });
  });

  interface Seed {
    /** 6 tenantPoints on the first line, 4 on the second. */
    points?: boolean;
    coupon?: boolean;
    /** Paid with 10 units; without, with points alone. */
    cash?: boolean;
  }

  /** An order of 3 pieces for 6 units and 1 for 4, which was paid. */
  async function paid(orderId: string, { points = false, coupon = false, cash = true }: Seed = {}): Promise<void> {
    for (const goods of ['a', 'b']) await seedGoods(database, `${orderId}-${goods}`, 5);
    const couponId = `${orderId}-c`;
    if (coupon) await Coupon.query(database).insert({ couponId, tenantId: 'shop', userId: 'payer', name: couponId });
    await seedOrder(database, orderId, {
      lines: [
        { ...lineOf(`${orderId}-a`, 3), cashMinor: cash ? 600 : 0, tenantPoints: points ? 6 : 0 },
        { ...lineOf(`${orderId}-b`, 1), cashMinor: cash ? 400 : 0, tenantPoints: points ? 4 : 0 },
      ],
      totalMinor: cash ? 1000 : 0,
      grossMinor: cash ? 1000 : 0,
      tenantPoints: points ? 10 : 0,
      couponIds: coupon ? [couponId] : [],
    });
    await openedPayment(database, orderId, { chargeId: cash ? `ch-${orderId}` : null });
    if (!cash) return;
    const ref = { orderId, attempt: 1 };
    await recordRead(database, ref, { status: 'paid', amount: 10, currency: 'TWD', paidAt: null });
    await completePayment(database, ref, 'gateway');
  }

  let serial = 0;
  const ask = (orderId: string, more: Partial<RefundOrder>, by = anna) =>
    requestRefund(database, { orderId, body: { key: `k-${(serial += 1)}`, reason: 'back', ...more }, by }, nothing);
  async function granted(...asked: Parameters<typeof ask>): Promise<Refund> {
    const decided = await ask(...asked);
    if (decided.kind !== 'accepted') throw new Error(JSON.stringify(decided));
    return decided.refund;
  }
  async function confirmed(...asked: Parameters<typeof ask>): Promise<Refund> {
    const refund = await granted(...asked);
    if (refund.status === 'pending') await confirmRefund(database, refund);
    return refund;
  }
  const a = (qty: number) => [{ lineId: '1', qty }];
  const b = [{ lineId: '2', qty: 1 }];
  const stocks = (orderId: string) =>
    database('goods').whereLike('goods_id', `${orderId}-%`).orderBy('goods_id').pluck<number[]>('stock');
  const statuses = async (orderId: string) => triple(await readPayment(database, orderId));
  const available = async () =>
    Number((await PointAccount.query(database).findById(['shop', 'payer', 'tenant']))?.available);

  it('give back the money of their pieces, and all of it in the end', async () => {
    await paid('money');
    expect((await confirmed('money', { lines: a(1) })).amountMinor).to.equal(200);
    expect(await statuses('money')).to.equal('30/30/70');
    expect((await granted('money', { lines: [...a(2), ...b] })).amountMinor).to.equal(800);
    expect(await statuses('money')).to.equal('30/30/50');
    expect(await refundableMinor(database, 'money')).to.equal(0);
    expect(await ask('money', { lines: a(1) })).to.include({ kind: 'malformed', path: '/lines/0/qty' });
    expect(await stocks('money'), 'nobody asked for that').to.deep.equal([2, 4]);
  });

  it('give back points and goods of their pieces alone, once they are confirmed', async () => {
    await paid('parts', { points: true, coupon: true });
    const before = await available();
    const refund = await granted('parts', { lines: a(2), restorePoints: true, restock: true });
    expect([await available(), await stocks('parts')]).to.deep.equal([before, [2, 4]]);
    await confirmRefund(database, refund);
    expect([await available(), await stocks('parts')]).to.deep.equal([before + 4, [4, 4]]);
    expect(await statuses('parts')).to.equal('30/30/70');
    await confirmed('parts', { lines: b, restock: true });
    expect([await available(), await stocks('parts')]).to.deep.equal([before + 4, [4, 5]]);
    const coupon = () => database('coupon').where({ coupon_id: 'parts-c' }).pluck<string[]>('status');
    expect(await coupon()).to.deep.equal(['used']);
    await confirmed('parts', { lines: a(1), restorePoints: true });
    expect(await coupon(), 'with the last piece').to.deep.equal(['available']);
    expect(await available()).to.equal(before + 6);
    expect(await statuses('parts'), 'the points of the other line are not back').to.equal('30/30/60');
    await confirmed('parts', { restorePoints: true });
    expect(await available()).to.equal(before + 10);
    expect(await statuses('parts')).to.equal('30/50/60');
    expect(await ask('parts', { restorePoints: true })).to.include({ path: '/restorePoints' });
  });

  it('leave a later whole refund the rest only', async () => {
    await paid('rest', { points: true, coupon: true });
    const before = await available();
    await granted('rest', { lines: a(1), restorePoints: true, restock: true });
    const rest = await granted('rest', { restorePoints: true, restock: true });
    expect(rest.amountMinor).to.equal(800);
    await confirmRefund(database, rest);
    expect([await available(), await stocks('rest')]).to.deep.equal([before + 8, [4, 5]]);
    expect(await statuses('rest'), 'the first is not confirmed').to.equal('30/30/50');
    const first = await Refund.query(database).findOne({ orderId: 'rest', status: 'pending' }).throwIfNotFound();
    await confirmRefund(database, first);
    expect([await available(), await stocks('rest')]).to.deep.equal([before + 10, [5, 5]]);
    expect(await statuses('rest')).to.equal('30/50/60');
    for (const part of ['restorePoints', 'restock'])
      expect(await ask('rest', { lines: a(1), [part]: true })).to.include({ path: `/${part}` });
  });

  it('of an order without money change its points alone, until all are back', async () => {
    await paid('points', { points: true, cash: false });
    const before = await available();
    expect(await statuses('points')).to.equal('30/30/0');
    expect(await ask('points', { lines: a(1) })).to.include({ kind: 'malformed', path: '/lines/0' });
    await confirmed('points', { lines: [...a(3)], restorePoints: true });
    expect(await statuses('points')).to.equal('30/30/0');
    await confirmed('points', { lines: b, restorePoints: true });
    expect(await statuses('points')).to.equal('30/50/0');
    expect(await available()).to.equal(before + 10);
    expect(await ask('points', { restorePoints: true })).to.include({ path: '/restorePoints' });
  });

  it('without money leave a paid order paid', async () => {
    await paid('gift');
    await database('customer_order')
      .where({ order_id: 'gift' })
      .update({ lines: JSON.stringify([lineOf('gift-a', 3), { ...lineOf('gift-b', 1), cashMinor: 0 }]) });
    await confirmed('gift', { lines: b, restock: true });
    expect(await statuses('gift')).to.equal('30/30/30');
    expect(await stocks('gift')).to.deep.equal([2, 5]);
  });

  it('never take more pieces than there are, however many are asked for at once', async () => {
    await paid('at-once');
    const asked = await Promise.all([1, 2, 3, 4, 5].map(() => ask('at-once', { lines: a(1) })));
    expect(asked.map(({ kind }) => kind).toSorted()).to.deep.equal([
      ...Array<string>(3).fill('accepted'),
      ...Array<string>(2).fill('malformed'),
    ]);
    expect(await refundableMinor(database, 'at-once')).to.equal(400);
  });

  it('are refused where refunds by amount left too little', async () => {
    await paid('amount');
    await granted('amount', { amount: 7 });
    expect(await ask('amount', { lines: b })).to.include({ kind: 'malformed', path: '/lines' });
    expect((await granted('amount', { lines: a(1) })).amountMinor).to.equal(200);
  });

  it('are once per key, whatever the order of the lines', async () => {
    await paid('keys');
    const lines = [...a(1), ...b];
    const { refundId } = await granted('keys', { lines, key: 'k' });
    expect((await granted('keys', { lines: lines.toReversed(), key: 'k' })).refundId).to.equal(refundId);
    for (const other of [{ lines: [...a(2), ...b] }, { lines: b }, { amount: 6 }, {}])
      expect(await ask('keys', { ...other, key: 'k' })).to.deep.equal({ kind: 'rejected', code: 90205 });
    expect(await refundableMinor(database, 'keys')).to.equal(400);
  });

  describe('above the limit', () => {
    before(() => database('tenant').where({ tenant_id: 'shop' }).update({ refunds_need_approval_above_minor: 300 }));
    after(() => database('tenant').where({ tenant_id: 'shop' }).update({ refunds_need_approval_above_minor: null }));

    const approve = async (orderId: string, index: number) => {
      const approval = (await approvalsOf(database, orderId))[index];
      if (!approval) throw new Error('nothing waits');
      return decideApproval(database, { approval, outcome: 'approve', by: ben }, nothing);
    };
    const states = async (orderId: string) => (await approvalsOf(database, orderId)).map(({ status }) => status);

    it('wait by the money of the lines, which do not count as refunded meanwhile', async () => {
      await paid('waits');
      expect((await granted('waits', { lines: a(1) })).amountMinor).to.equal(200);
      for (const lines of [a(1), a(2), b]) expect((await ask('waits', { lines })).kind).to.equal('waits');
      expect(await refundableMinor(database, 'waits')).to.equal(800);
      expect((await approve('waits', 1)).kind).to.equal('decided');
      expect(await states('waits'), 'the pieces of the first are gone').to.deep.equal([
        'lapsed',
        'approved',
        'waiting',
      ]);
      expect((await approve('waits', 0)).kind).to.equal('over');
      expect((await approve('waits', 2)).kind).to.equal('decided');
      expect(await refundableMinor(database, 'waits')).to.equal(0);
    });

    it('do not lapse where others leave their pieces, although points go back with them', async () => {
      await paid('stays', { points: true });
      expect((await ask('stays', { lines: b, restorePoints: true })).kind).to.equal('waits');
      await confirmed('stays', { lines: a(1) });
      expect(await states('stays')).to.deep.equal(['waiting']);
      const before = await available();
      const decided = await approve('stays', 0);
      const refundId = (decided.kind === 'decided' && decided.carriedOut?.refundId) || '';
      await confirmRefund(database, await Refund.query(database).findById(refundId).throwIfNotFound());
      expect(await available()).to.equal(before + 4);
    });
  });
});
