import { expect } from 'chai';
import { newOrder, seedTenants } from '#test/orders/support/order-rows.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { insertOnce } from './order-keys.ts';

describe('the key of an order', () => {
  const database = useDatabase('orders');
  before(() => seedTenants(database));

  let serial = 0;
  const of = (key: string, more: { tenantId?: string; userId?: string; requestHash?: string } = {}) => ({
    tenantId: 'shop',
    userId: 'payer',
    key,
    requestHash: 'a body',
    ...more,
  });
  /** @returns the order that the key stands for: a new one, or an earlier one. */
  async function create(key: ReturnType<typeof of>): Promise<string | null> {
    serial += 1;
    const created = await insertOnce(database, key, () =>
      Promise.resolve({ ...newOrder(`o-${serial}`), origin: null }),
    );
    return created && created.orderId;
  }

  it('stands for one order of a payer at a tenant, and for its request', async () => {
    const orderId = await create(of('k'));
    expect(await create(of('k'))).to.equal(orderId);
    expect(await create(of('k', { requestHash: 'another body' }))).to.equal(null);
    for (const other of [of('k', { userId: 'somebody' }), of('k', { tenantId: 'other' }), of('k-2')])
      expect(await create(other)).to.equal(`o-${serial}`);
    expect(await create(of('k'))).to.equal(orderId);
  });

  it('stands for another one after 24 hours', async () => {
    const orderId = await create(of('old'));
    const age = (interval: string) =>
      database('order_key')
        .where({ key: 'old' })
        .update({ created_at: database.raw(`now() - interval '${interval}'`) });
    await age('23 hours 59 minutes');
    expect(await create(of('old', { requestHash: 'another body' }))).to.equal(null);
    await age('24 hours 1 minute');
    const next = await create(of('old', { requestHash: 'another body' }));
    expect(next).to.equal(`o-${serial}`).and.not.equal(orderId);
  });
});
