import { expect } from 'chai';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { rowsRead } from '#test/support/servers/rows-read.ts';
import { ordersToDrive, refundsToDrive } from './sweep.ts';

const IN_PROGRESS = 5000;
const STUCK = 40;

/** Payments that wait for their payers. */
const payments = `with created as (
    insert into customer_order (order_id, order_no, tenant_id, user_id, total_minor, gross_minor, tenant_points,
      district_points, wallet_points, coupon_ids, earn_limit_infos, points_tenant_id, lines, carrier_type, currency,
      order_status, payment_status, updated_at)
    select 'o-' || n, 'no-' || n, 'shop', 'u-1', 1, 1, 0, 0, 0, '{}', '[]', 'shop', '[]', '3J0002', 'TWD', 20, 10,
      now() - interval '1 minute' from generate_series(1, :inProgress) n returning order_id)
  insert into payment_attempt (order_id, attempt, hold_status, expires_at, shop_id, charge_id)
  select order_id, 1, 'reserved', now() + interval '1 hour', 'paygw', 'ch-' || order_id from created`;

describe('The sweep of payments', () => {
  const database = useDatabase('orders', { as: 'owner' });

  before(async () => {
    await database.raw(`insert into tenant (tenant_id, name, business_type) values ('shop', 'shop', 0)`);
    await database.raw(payments, { inProgress: IN_PROGRESS });
    await database.raw('analyze customer_order, payment_attempt, order_flag, gateway_event');
  });

  it('reads what is overdue, not every payment in progress', async () => {
    const tables = ['customer_order', 'payment_attempt', 'gateway_event', 'order_flag'];
    let found: unknown[] = [];
    const quiet = await rowsRead(database, tables, async (transaction) => {
      found = await ordersToDrive(transaction, new Date(), 10);
    });
    expect(found).to.deep.equal([]);
    expect(quiet.scanned + quiet.fetched).to.be.below(10);

    await database('payment_attempt')
      .whereIn(
        'order_id',
        Array.from({ length: STUCK }, (_, index) => `o-${index + 1}`),
      )
      .update({ expires_at: database.raw(`now() - interval '1 minute'`) });
    const overdue = await rowsRead(database, tables, async (transaction) => {
      found = await ordersToDrive(transaction, new Date(), 10);
    });
    expect(found).to.have.length(10);
    expect(overdue.scanned + overdue.fetched).to.be.below(STUCK * 6);
    await database('customer_order').update({ driven_at: null });
  });

  it('gives each its turn before any has a second, however many cannot proceed', async () => {
    const round = async () => (await ordersToDrive(database, new Date(), 10)).map(({ orderId }) => orderId);
    const first = [...(await round()), ...(await round()), ...(await round()), ...(await round())];
    expect(new Set(first)).to.have.property('size', STUCK);
    await database('payment_attempt').where({ order_id: 'o-77' }).update({ cancel_requested: true });
    expect(await round()).to.include('o-77');
  });

  it('drives a charge that cannot be read as often as it would be read, not every time', async () => {
    const orderId = 'o-99';
    await database('payment_attempt')
      .where({ order_id: orderId })
      .update({ created_at: database.raw(`now() - interval '10 minutes'`) });
    const drivenAt = async (minutes: number) => {
      const found = await ordersToDrive(database, new Date(Date.now() + minutes * 60_000), 2 * IN_PROGRESS);
      return found.some((order) => order.orderId === orderId);
    };
    expect(await drivenAt(0), 'not yet driven').to.equal(true);
    expect(await drivenAt(0.2), 'still not read').to.equal(false);
    expect(await drivenAt(5.5), 'still not read').to.equal(false);
    expect(await drivenAt(6.5), 'its run may be lost').to.equal(true);
  });

  it('drives a flagged order by a decision of its staff alone', async () => {
    await database.raw(
      `insert into order_flag (order_id, code, expected, reported) values ('o-1', 'amount_mismatch', '1', '2')`,
    );
    const all = async () => (await ordersToDrive(database, new Date(), 1000)).map(({ orderId }) => orderId);
    expect(await all())
      .to.include('o-2')
      .and.not.include('o-1');
    await database('order_flag').where({ order_id: 'o-1' }).update({ resolution: 'complete' });
    expect(await all()).to.include('o-1');
  });
});

describe('The sweep of refunds', () => {
  const database = useDatabase('orders', { as: 'owner' });
  const OPEN = 5000;

  before(async () => {
    await database.raw(`insert into tenant (tenant_id, name, business_type) values ('shop', 'shop', 0)`);
    await database.raw(
      `insert into refund (refund_id, kind, charge_id, tenant_id, status)
       select 'ch-' || n, 'unaccepted', 'ch-' || n, 'shop', 'pending'
       from generate_series(1, :open) n`,
      { open: OPEN },
    );
    await database.raw('analyze refund');
  });

  const at = (seconds: number) => new Date(Date.now() + seconds * 1000);
  const turn = async (now: Date, limit: number) => {
    let found: string[] = [];
    const read = await rowsRead(database, ['refund'], async (transaction) => {
      found = (await refundsToDrive(transaction, now, limit)).map(({ refundId }) => refundId);
    });
    return { found, read: read.scanned + read.fetched };
  };

  it('reads what is due, however many refunds are open', async () => {
    const { found, read } = await turn(at(10), 10);
    expect(found).to.have.length(10);
    expect(read).to.be.below(50);
  });

  it('gives each its turn before any has a second, and then lets its workflow work', async () => {
    const seen = new Set<string>();
    for (let round = 0; round < 5; round += 1)
      for (const refundId of (await turn(at(10), 1000)).found) seen.add(refundId);
    expect(seen.size).to.equal(OPEN - 10);
    const quiet = await turn(at(10), 1000);
    expect(quiet.found).to.deep.equal([]);
    expect(quiet.read).to.be.below(50);
    expect((await turn(at(60), OPEN)).found).to.have.length(OPEN);
  });

  it('leaves alone what is confirmed or waits for staff', async () => {
    await database('refund').where({ refund_id: 'ch-1' }).update({ status: 'needs_staff' });
    await database('refund').where({ refund_id: 'ch-2' }).update({ status: 'confirmed' });
    const { found } = await turn(at(120), OPEN);
    expect(found).to.have.length(OPEN - 2);
    expect(found).not.to.include('ch-1').and.not.include('ch-2');
  });
});
