import { expect } from 'chai';
import { undoPayment } from '#db/orders/charges/ends.ts';
import { findPayment } from '#db/orders/payments.ts';
import { orderStatus } from '#domain/orders/states.ts';
import { type PaymentState, rejected } from '#domain/orders/payment.ts';
import { openedPayment, seedOrder, seedTenants } from '#test/orders/support/order-rows.ts';
import { triple } from '#test/orders/support/shop.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { createLogger } from '#api/runtime/logger.ts';
import type { DrivenOrder, Launcher } from '../launch.ts';
import { createPayments } from './pay.ts';

describe('a cancel', () => {
  const database = useDatabase('orders');
  before(() => seedTenants(database));

  const isOver = (state: PaymentState) =>
    state.orderStatus === orderStatus.CANCELLED ? { code: 1000 as const, state } : null;

  /** @param end what the payment's workflow does when it is asked for its end; it would open a payment that is not open. */
  function cancelling(end: (order: DrivenOrder) => Promise<void>) {
    const asked: number[] = [];
    const launcher = {
      end: async (order: DrivenOrder) => {
        asked.push(order.attempt);
        await end(order);
        return rejected(90304, null);
      },
    } as Pick<Launcher, 'end'> as Launcher;
    const payments = createPayments({ database, launcher, logger: createLogger('orders', 'silent') });
    return { asked, cancel: (orderId: string) => payments.cancel(orderId, isOver) };
  }

  it('pays nothing: an order whose payment was undone meanwhile is cancelled in its row', async () => {
    await seedOrder(database, 'undone');
    await openedPayment(database, 'undone');
    const { asked, cancel } = cancelling(async (ref) => {
      // As if the payment was undone before the cancel was stored.
      await database('payment_attempt').where({ order_id: ref.orderId }).update({ cancel_requested: false });
      await undoPayment(database, ref, { sends: 0 });
    });
    const { code, state } = await cancel('undone');
    expect({ code, statuses: state && triple(state) }).to.deep.equal({ code: 1000, statuses: '60/0/0' });
    expect(asked).to.deep.equal([1]);
  });

  it('asks for the end of each attempt that is being paid', async () => {
    await seedOrder(database, 'again');
    await openedPayment(database, 'again');
    const wanted: unknown[] = [];
    const { asked, cancel } = cancelling(async (ref) => {
      const state = await findPayment(database, ref.orderId);
      wanted.push(state?.cancelRequested);
      if (ref.attempt === 2) return void (await undoPayment(database, ref, { sends: 0 }));
      await database('payment_attempt').where({ order_id: ref.orderId }).update({ cancel_requested: false });
      await undoPayment(database, ref, { sends: 0 });
      await openedPayment(database, 'again', { attempt: 2 });
    });
    const { state } = await cancel('again');
    expect(state && triple(state)).to.equal('60/0/40');
    expect({ asked, wanted }).to.deep.equal({ asked: [1, 2], wanted: [true, true] });
  });
});
