import { expect } from 'chai';
import type { Transaction } from '#db/database.ts';
import { PaymentAttempt } from '#db/orders/models/payments.ts';
import { useOrders } from '../support/fixtures/orders.ts';
import { ok, triple } from './support/shop.ts';

/** How the server ends the wait for a row: by the limit of a lock (55P03), or by that of the whole statement (57014). */
const limits = {
  'its lock times out': { lockMs: 300, statementMs: 20_000 },
  'its statement times out': { lockMs: 20_000, statementMs: 1000 },
};

for (const [title, waits] of Object.entries(limits))
  describe(`A payer whose row is locked by someone else, until ${title}`, () => {
    const shop = useOrders({
      limits: { ...waits, idleInTransactionMs: 60_000 },
      payDeadlineMs: 2000,
      points: { tenant: 5 },
    });

    /** Does `work` while another connection keeps the rows locked that `sql` selects. */
    async function whileLocked(sql: string, work: () => Promise<void>): Promise<void> {
      const holder: Transaction = await shop.database.transaction();
      try {
        await holder.raw(sql);
        await work();
      } finally {
        await holder.rollback();
      }
    }

    const held = async () => ({
      goods: (await shop.database('goods').where({ goods_id: 'lamp' }).first('stock', 'held')) as unknown,
      coupon: (await shop.database('coupon').where({ coupon_id: 'ten-off' }).first('status')) as unknown,
      reserved: (await shop.points('shop')).tenant.reserved,
      charges: shop.gateway.charges.size,
    });

    it('is told to pay again, holds nothing, and pays once the lock is gone', async () => {
      const option = { paymentOptionId: 'o', name: 'DEFAULT', pointAmount: 5, cashAmount: 10 };
      await shop.putGoods('lamp', 'shop', { stock: 3, paymentOptions: [option] });
      await shop.putCoupon('ten-off', 'shop');
      const pointsPlan = { tenantPoints: 5, couponIds: ['ten-off'] };
      const order = await shop.create('shop', { items: [{ goodsId: 'lamp' }], pointsPlan });
      await whileLocked(`select 1 from goods where goods_id = 'lamp' for update`, async () => {
        const { status, code, data } = await shop.pay(order, 'shop');
        expect({ status, code, statuses: triple(data) }).to.deep.equal({ status: 503, code: 90304, statuses: '0/0/0' });
        expect(await PaymentAttempt.query(shop.database).where({ orderId: order.orderId })).to.deep.equal([]);
        expect(await held()).to.deep.equal({
          goods: { stock: 3, held: 0 },
          coupon: { status: 'available' },
          reserved: 0,
          charges: 0,
        });
      });
      expect(triple(ok(await shop.payUntilKnown(order, 'shop')).data)).to.equal('20/10/10');
      expect(await held()).to.deep.equal({
        goods: { stock: 3, held: 1 },
        coupon: { status: 'reserved' },
        reserved: 5,
        charges: 1,
      });
    });

    it('of points alone is told the same, and has paid once the lock is gone', async () => {
      const option = { paymentOptionId: 'o', name: 'DEFAULT', pointAmount: 5, cashAmount: 0 };
      await shop.putGoods('mat', 'shop', { stock: 3, paymentOptions: [option] });
      await shop.grant('shop', 'tenant', 5);
      const order = await shop.create('shop', { items: [{ goodsId: 'mat' }], pointsPlan: { tenantPoints: 5 } });
      const before = (await shop.points('shop')).tenant;
      await whileLocked(`select 1 from goods where goods_id = 'mat' for update`, async () => {
        const { status, code, data } = await shop.pay(order, 'shop');
        expect({ status, code, statuses: triple(data) }).to.deep.equal({ status: 503, code: 90304, statuses: '0/0/0' });
        expect((await shop.points('shop')).tenant).to.deep.equal(before);
      });
      expect(triple(ok(await shop.payUntilKnown(order, 'shop')).data)).to.equal('30/30/0');
      const { available, committed } = (await shop.points('shop')).tenant;
      expect({ available, committed }).to.deep.equal({
        available: before.available - 5,
        committed: before.committed + 5,
      });
    });

    it('is told to cancel again, keeps the order, and cancels it once the lock is gone', async () => {
      const order = await shop.create('shop', { grossMoneyAmount: 1, moneyAmount: 1 });
      await whileLocked(`select 1 from customer_order where order_id = '${order.orderId}' for update`, async () => {
        const { status, code, data } = await shop.cancel(order, 'shop');
        expect({ status, code, statuses: triple(data) }).to.deep.equal({ status: 503, code: 90304, statuses: '0/0/0' });
      });
      expect(triple(await shop.item(order, 'shop'))).to.equal('0/0/0');
      expect(triple(ok(await shop.cancel(order, 'shop')).data)).to.equal('60/0/0');
    });
  });
