import { expect } from 'chai';
import { jsonClient } from '#scripts/demo/client.ts';
import { operator } from '#scripts/demo/content.ts';
import { orderFaults, seedOrderStates } from '#scripts/demo/order-states.ts';
import { seedOrders } from '#scripts/demo/orders.ts';
import { sandboxToken } from '#test/support/services/sandbox-token.ts';
import { useStack } from '#test/support/fixtures/stack.ts';
import { eventually } from '#test/support/time/eventually.ts';

describe('The orders of the demonstration', () => {
  const stack = useStack({ services: ['sandbox', 'orders'] });

  it('show each status of a coupon and corrections by staff, and a second start changes nothing', async () => {
    const token = await sandboxToken(jsonClient(stack.addresses.sandbox), operator);
    const orders = jsonClient(`${stack.addresses.orders}/transaction/v1`, token);
    const database = stack.database.connect('orders');
    const stored = async () => ({
      goods: await database('goods').select('goods_id', 'stock', 'held', 'updated_at').orderBy('goods_id'),
      coupons: await database('coupon').orderBy('coupon_id'),
      points: await database('point_account').orderBy('kind'),
      changes: await database('stock_change').select('delta', 'reason').orderBy('change_id'),
      orders: await database('customer_order').select('order_id', 'updated_at').orderBy('order_id'),
    });
    await seedOrders(orders);
    const first = await stored();
    expect(first.coupons.map(({ status }: { status: string }) => status).toSorted()).to.deep.equal([
      'available',
      'available',
      'reserved',
      'used',
    ]);
    expect(first.changes.filter(({ reason }: { reason: string | null }) => reason !== null)).to.have.length(2);
    await seedOrders(orders);
    expect(await stored()).to.deep.equal(first);
  });

  it('cover what becomes of orders, and one waits for staff with a note', async function () {
    this.timeout(120_000);
    const sandbox = jsonClient(stack.addresses.sandbox);
    const token = await sandboxToken(sandbox, operator);
    const orders = jsonClient(`${stack.addresses.orders}/transaction/v1`, token);
    const database = stack.database.connect('orders');
    await sandbox.put('/sandbox/faults', { faults: orderFaults });
    await seedOrderStates({ orders, sandbox });
    const states = async (): Promise<string[]> =>
      (await database('customer_order').select('order_status', 'payment_status')).map(
        (row: { orderStatus: number; paymentStatus: number }) => `${row.orderStatus}/${row.paymentStatus}`,
      );
    await eventually('a payment has arrived', async () => (await states()).includes('30/30'));
    await eventually('the refund of staff was carried out', async () => (await states()).includes('40/60'));
    expect(await states()).to.include.members([
      '0/0',
      '20/10',
      '30/0',
      '30/30',
      '30/50',
      '30/60',
      '40/40',
      '40/60',
      '60/0',
      '60/40',
    ]);
    const waiting = await database('order_flag').whereNull('resolved_at').select('order_id');
    expect(waiting).to.have.length(1);
    expect(await database('order_note').select('order_id')).to.deep.equal(waiting);
  });
});
