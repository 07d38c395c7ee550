import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Difference } from '#domain/orders/administration/reconciliation.ts';
import { eventually } from '#test/support/time/eventually.ts';
import type { FakeCharge } from './fake-charges.ts';
import { ok, type OpenShop, staff } from './shop.ts';

const cash = { grossMoneyAmount: 100, moneyAmount: 100 };
export const today = () => new Date().toISOString().slice(0, 10);

export interface Day {
  date: string;
  status: string;
  finishedAt: string | null;
  charges: number;
  differences: number;
  mended: number;
}

/** What staff ask and read, and charges that the gateway knows by itself. */
export function comparing(shop: OpenShop) {
  const ask = (date: unknown, tenantId = 'shop') => shop.post('/admin/reconciliation', { date }, staff(tenantId));
  const read = async (date: string, tenantId = 'shop') =>
    ok(await shop.request('GET', `/admin/reconciliation?date=${date}`, undefined, staff(tenantId)))
      .data as unknown as Pick<Day, 'date' | 'status' | 'finishedAt'> & { items: Difference[] };
  return {
    ask,
    read,
    days: async (query = '') =>
      ok(await shop.request('GET', `/admin/reconciliation/days${query}`, undefined, staff('shop'))).data as unknown as {
        items: Day[];
        nextCursor: string | null;
      },
    /** Compares the day and waits for the end. */
    async compare(date: string, tenantId = 'shop') {
      const asked = await ask(date, tenantId);
      expect(asked.status).to.equal(202);
      expect(ok(asked).data).to.include({ date, status: 'running', finishedAt: null });
      return eventually(`${date} is compared`, async () => {
        const day = await read(date, tenantId);
        return day.status !== 'running' && day;
      });
    },
    charge(more: Partial<FakeCharge> = {}): FakeCharge {
      const chargeId = `ch-${randomUUID()}`;
      const at = new Date().toISOString();
      const charge: FakeCharge = {
        chargeId,
        status: 'paid',
        amount: 12.5,
        currency: 'TWD',
        shopId: 'paygw-shop',
        orderNo: `unknown-${chargeId}`,
        callbackURL: 'http://nobody.test',
        expiresAt: at,
        createdAt: at,
        paidAt: at,
        refundedAmount: 0,
        ...more,
      };
      shop.gateway.charges.set(chargeId, charge);
      return charge;
    },
    async pending() {
      const order = await shop.create('shop', cash);
      ok(await shop.payUntilKnown(order, 'shop'));
      return { order, charge: shop.gateway.chargeOf(order.orderNo) };
    },
    async paid() {
      const { order, charge } = await this.pending();
      await shop.gateway.pay(order.orderNo);
      await shop.until(order, 'shop', '30/30/30');
      return { order, charge };
    },
    /** The money of an order arrived, and we know of it since this moment. */
    async receivedAt(order: { orderId: string }, at: string) {
      await shop
        .database('payment_attempt')
        .where({ order_id: order.orderId })
        .update({ received_minor: 10_000, received_currency: 'TWD', received_at: at });
    },
  };
}
