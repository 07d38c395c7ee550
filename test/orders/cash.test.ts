import { expect } from 'chai';
import { rows } from '#db/database.ts';
import { useOrders } from '../support/fixtures/orders.ts';
import { eventually } from '../support/time/eventually.ts';
import { ok, staff } from './support/shop.ts';

const cash = { grossMoneyAmount: 100, moneyAmount: 100 };

describe('the cash of orders', () => {
  const shop = useOrders();

  /** The balance of each account of an order, in cents; accounts at 0 are left out. */
  async function balances({ orderId }: { orderId: string }): Promise<Record<string, number>> {
    const found = await rows<{ account: string; sum: number }>(
      shop.database,
      `select account, sum(amount_minor)::bigint as sum from cash_entry where order_id = :orderId
       group by account having sum(amount_minor) <> 0`,
      { orderId },
    );
    return Object.fromEntries(found.map(({ account, sum }) => [account, sum]));
  }
  async function pending() {
    const order = await shop.create('shop', cash);
    ok(await shop.payUntilKnown(order, 'shop'));
    return order;
  }

  it('B13: a payer owes the total until it is received', async () => {
    const order = await pending();
    expect(await balances(order)).to.deep.equal({ receivable: 10_000, sales: -10_000 });
    await shop.gateway.pay(order.orderNo);
    await shop.until(order, 'shop', '30/30/30');
    expect(await balances(order)).to.deep.equal({ gateway: 10_000, sales: -10_000 });
  });

  it('B13: nothing is owed once a payment has ended unpaid, and late money is a debt until it is given back', async () => {
    const order = await pending();
    ok(await shop.cancel(order, 'shop'));
    expect(await balances(order)).to.deep.equal({});
    shop.gateway.state.fault = ({ operation }) => (operation === 'refund' ? { response: [503, {}] } : undefined);
    await shop.gateway.pay(order.orderNo, { late: true });
    await eventually('the money was read', async () => Object.keys(await balances(order)).length > 0);
    expect(await balances(order)).to.deep.equal({ gateway: 10_000, refunds: -10_000 });
    shop.gateway.state.fault = () => undefined;
    await shop.until(order, 'shop', '60/0/60');
    expect(await balances(order)).to.deep.equal({});
  });

  it('B13: an amount that staff accept although it differs leaves nothing owed', async () => {
    const order = await pending();
    const charge = shop.gateway.chargeOf(order.orderNo);
    Object.assign(charge, { amount: 90 });
    await shop.gateway.pay(order.orderNo);
    await eventually('flagged', async () => (await shop.staffOrder(order, 'shop')).flags.length > 0);
    ok(await shop.resolve(order, 'shop', 'complete'));
    expect(await balances(order)).to.deep.equal({ gateway: 9000, sales: -9000 });
  });

  it('B13: a refund by staff takes from the sale, and from the gateway once it is confirmed', async () => {
    const order = await pending();
    await shop.gateway.pay(order.orderNo);
    await shop.until(order, 'shop', '30/30/30');
    const body = { amount: 40, reason: 'broken', key: 'k' };
    expect((await shop.post(`/admin/orders/${order.orderId}/refund`, body, staff('shop'))).code).to.equal(1000);
    await shop.until(order, 'shop', '30/30/70');
    expect(await balances(order)).to.deep.equal({ gateway: 6000, sales: -6000 });
  });

  it('are in the ledger that staff see, beside points, and the entries of each movement sum to zero', async () => {
    const order = await pending();
    await shop.gateway.pay(order.orderNo);
    await shop.until(order, 'shop', '30/30/30');
    ok(
      await shop.post(
        `/admin/orders/${order.orderId}/refund`,
        { amount: 40.25, reason: 'broken', key: 'k' },
        staff('shop'),
      ),
    );
    await shop.until(order, 'shop', '30/30/70');
    const { ledger } = (await shop.staffOrder(order, 'shop')) as unknown as {
      ledger: { movement: string; kind: string; bucket: string; amount: number; tenantId: string; userId: string }[];
    };
    const sums = (name: 'bucket' | 'movement') => {
      const found = new Map<string, number>();
      for (const entry of ledger) found.set(entry[name], (found.get(entry[name]) ?? 0) + entry.amount);
      return Object.fromEntries(found);
    };
    expect(sums('bucket')).to.deep.equal({ receivable: 0, gateway: 59.75, refunds: 0, sales: -59.75 });
    expect(new Set(Object.values(sums('movement')))).to.deep.equal(new Set([0]));
    const { kind, tenantId, userId } = ledger[0] ?? {};
    expect({ kind, tenantId, userId }).to.deep.equal({ kind: 'cash', tenantId: 'shop', userId: 'u-1' });
  });

  it('B13: entries are only added, and those of one movement sum to zero', async () => {
    const lopsided = { movement: 'm', account: 'sales', amount_minor: 1, currency: 'TWD', tenant_id: 'shop' };
    const codeOf = (work: Promise<unknown>) => work.then(String, (error: { code?: string }) => error.code);
    expect(await codeOf(shop.database('cash_entry').insert(lopsided))).to.equal('23514');
    expect(await codeOf(shop.database.raw('update cash_entry set amount_minor = 1'))).to.equal('42501');
    expect(await codeOf(shop.database.raw('delete from cash_entry'))).to.equal('42501');
  });
});
