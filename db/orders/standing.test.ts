import { expect } from 'chai';
import { useDatabase, useTestDatabase } from '#test/support/fixtures/database.ts';
import { rowsRead } from '#test/support/servers/rows-read.ts';
import { rows } from '../database.ts';
import { standingOrders } from './standing.ts';

const OPEN = 3000;

describe('orders that stand still', () => {
  const on = useTestDatabase();
  const owner = useDatabase('orders', { as: 'owner', on });
  const database = useDatabase('orders', { on });

  before(async () => {
    await rows(owner, `insert into tenant (tenant_id, name, business_type) values ('shop', 'Shop', 0)`, {});
    await rows(
      owner,
      `with ordered as (
         insert into customer_order (order_id, order_no, tenant_id, user_id, total_minor, gross_minor, tenant_points,
           district_points, wallet_points, coupon_ids, earn_limit_infos, points_tenant_id, lines, carrier_type, currency,
           order_status)
         select n, n, 'shop', 'u', 1000, 1000, 0, 0, 0, '{}', '[]', 'shop', '[]', '', 'TWD', 20
         from generate_series(1, :open::int) as n returning order_id)
       insert into payment_attempt (order_id, attempt, hold_status, expires_at, charge_id, read_at)
       select order_id, 1, 'reserved', now() + interval '1 day', order_id, now() from ordered`,
      { open: OPEN },
    );
    await rows(owner, 'analyze', {});
  });

  /** What the metric costs so many minutes later. */
  async function costAfter(minutes: number) {
    const now = new Date(Date.now() + minutes * 60_000);
    let found = 0;
    const read = await rowsRead(database, ['customer_order', 'payment_attempt'], async (transaction) => {
      found = (await standingOrders(transaction, now)).length;
    });
    return { found, ...read };
  }

  it('cost nothing where payments just wait for their payers', async () => {
    expect(await costAfter(1)).to.deep.equal({ found: 0, scanned: 0, fetched: 0 });
  });

  it('cost three rows each where nobody reads any charge, for a thousand at most', async () => {
    expect(await costAfter(10)).to.deep.equal({ found: 1000, scanned: 0, fetched: 3000 });
  });
});
