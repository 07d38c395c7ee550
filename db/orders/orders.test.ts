import { expect } from 'chai';
import { openedPayment, seedOrder, seedTenants } from '#test/orders/support/order-rows.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { findPayersOrder } from './orders.ts';
import { findPayersPayment } from './payments.ts';

describe('an order and its payment', () => {
  const database = useDatabase('orders');
  before(() => seedTenants(database));

  it('are found by their payer at their tenant alone', async () => {
    await seedOrder(database, 'own');
    await openedPayment(database, 'own');
    const key = { orderId: 'own', tenantId: 'shop', userId: 'payer' };
    for (const find of [findPayersOrder, findPayersPayment]) {
      expect(await find(database, key)).to.include({ orderId: 'own' });
      for (const foreign of [{ tenantId: 'other' }, { userId: 'somebody' }, { orderId: 'another' }])
        expect(await find(database, { ...key, ...foreign }), JSON.stringify(foreign)).to.equal(null);
    }
  });
});
