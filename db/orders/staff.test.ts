import { expect } from 'chai';
import { rowsRead } from '#test/support/servers/rows-read.ts';
import { rows } from '../database.ts';
import { listPayersOrders, type OrderCursor, type OrderPage } from './orders.ts';
import { type OrderSearch, searchOrders } from './staff.ts';
import { useDatabase, useTestDatabase } from '#test/support/fixtures/database.ts';

const ORDERS = 20_000;
const LIMIT = 50;
const BRANCHES = 5;
/** Far above one page per tenant, far below everything. */
const RARE = 1000;

/** 50 orders share a time; the tenants’ orders alternate, and what is rare is old. */
const fill = `insert into customer_order (order_id, order_no, tenant_id, user_id, title, currency, total_minor, gross_minor,
    tenant_points, district_points, wallet_points, coupon_ids, earn_limit_infos, points_tenant_id, lines, carrier_type,
    order_status, created_at)
  select 'o-' || lpad(n::text, 5, '0'), '20261121-' || upper(md5(n::text)), tenant, 'user-' || n % 500,
    case when n > :orders::int - 40 then '年節 gift ' || n when n % 2 = 0 then 'Spring ' || n end, 'TWD', 100 * (n % 37), 100, 0, 0, 0, '{}', '[]', tenant,
    '[]', '3J0002', case when n > :orders::int - 60 then 20 else 30 end, now() - (n / 50) * interval '1 minute'
  from (select n, case when n % 7 = 6 then 'other' else 'branch-' || n % 7 end as tenant
    from generate_series(1, :orders::int) n) drawn`;

describe('the lists of orders', () => {
  const test = useTestDatabase();
  const database = useDatabase('orders', { on: test });
  before(async () => {
    const headquarters = 'branch-0';
    const tenants = ['other', ...Array.from({ length: BRANCHES + 1 }, (_, n) => `branch-${n}`)];
    for (const tenant of tenants)
      await database('tenant').insert({
        tenant_id: tenant,
        name: tenant,
        business_type: 1,
        // A headquarters may name itself.
        headquarters_tenant_id: tenant === 'other' ? null : headquarters,
      });
    await rows(database, fill, { orders: ORDERS });
    await rows(
      database,
      `insert into order_flag (order_id, code, expected, reported, resolved_at)
       select order_id, 'amount_mismatch', '1.00', '2.00', case when order_id like '%1' then now() end
       from customer_order where order_status = 20 or order_id like '%99'`,
      {},
    );
    await test.connect('orders', 'owner').raw('analyze');
  });

  async function idsOf(list: (page: { cursor: OrderCursor | null; limit: number }) => Promise<OrderPage>) {
    const found: string[] = [];
    let cursor: OrderCursor | null = null;
    do {
      const page: OrderPage = await list({ cursor, limit: LIMIT });
      found.push(...page.items.map(({ orderId }) => orderId));
      cursor = page.next;
    } while (cursor !== null && found.length < 4 * LIMIT);
    return found;
  }

  /** The expected result, computed row by row. */
  async function plain(
    { staffTenantId, withMembers, status, q, flagged }: OrderSearch,
    order = 'created_at desc, order_id desc',
  ): Promise<string[]> {
    const found = await rows<{ id: string }>(
      database,
      `select order_id as id from customer_order o join tenant t using (tenant_id)
       where (t.tenant_id = :staffTenantId or :withMembers::boolean and t.headquarters_tenant_id = :staffTenantId)
         and (:status::int is null or order_status = :status)
         and (:q::text is null or strpos(lower(order_no), lower(:q)) > 0 or strpos(lower(title), lower(:q)) > 0
           or order_id = :q or user_id = :q)
         and (not :flagged::boolean or exists (select from order_flag f where f.order_id = o.order_id and resolved_at is null))
       order by ${order} limit ${4 * LIMIT}`,
      { staffTenantId, withMembers, status, q, flagged },
    );
    return found.map(({ id }) => id);
  }

  const all: Omit<OrderSearch, 'staffTenantId'> = {
    withMembers: true,
    status: null,
    q: null,
    flagged: false,
    needsStaff: false,
  };
  const searches = [
    all,
    { ...all, withMembers: false },
    { ...all, status: 20 },
    { ...all, status: 10 },
    { ...all, status: 30 },
    { ...all, flagged: true },
    { ...all, flagged: true, status: 30 },
    { ...all, q: 'o-00123' },
    { ...all, q: 'user-77' },
    { ...all, q: 'GIFT 1998' },
    { ...all, q: '年' },
    { ...all, q: '節 gift' },
    { ...all, q: '100%' },
    { ...all, q: 'spring', status: 30 },
  ];

  it('show staff what their tenants’ rows contain, page by page', async () => {
    for (const staffTenantId of ['branch-0', 'branch-1', 'other', 'nobody']) {
      for (const search of searches) {
        const asked = { staffTenantId, ...search };
        const found = await idsOf((page) => searchOrders(database, asked, page));
        expect(found, JSON.stringify(asked)).to.deep.equal(await plain(asked));
      }
    }
  });

  it('show staff their orders in another order, page by page', async () => {
    for (const [sort, order] of [
      ['createdAt', 'created_at, order_id'],
      ['amount', 'total_minor, order_id'],
      ['-amount', 'total_minor desc, order_id desc'],
    ] as const) {
      for (const search of [all, { ...all, status: 30 }, { ...all, flagged: true }, { ...all, q: 'user-77' }]) {
        const asked = { staffTenantId: 'branch-0', ...search };
        const found = await idsOf((page) => searchOrders(database, asked, { ...page, sort }));
        expect(found, `${sort} ${JSON.stringify(asked)}`).to.deep.equal(await plain(asked, order));
      }
      const read = await rowsRead(database, ['customer_order'], (transaction) =>
        searchOrders(transaction, { staffTenantId: 'branch-0', ...all }, { cursor: null, limit: LIMIT, sort }),
      );
      expect(read.scanned, sort).to.equal(0);
      expect(read.fetched, sort).to.be.at.most(RARE);
    }
  });

  it('read one page per accessible tenant, or what is rare, never everything', async () => {
    for (const staffTenantId of ['branch-0', 'branch-1', 'other']) {
      // Reading through so few orders is as fast as searching an index of words.
      for (const search of searches.filter(({ q }) => q === null)) {
        const asked = { staffTenantId, ...search };
        const read = await rowsRead(database, ['customer_order'], (transaction) =>
          searchOrders(transaction, asked, { cursor: null, limit: LIMIT }),
        );
        expect(read.scanned, JSON.stringify(asked)).to.equal(0);
        expect(read.fetched, JSON.stringify(asked)).to.be.at.most(RARE);
      }
    }
  });

  it('read only the payer’s own orders', async () => {
    for (const status of [null, 20, 30]) {
      const key = { tenantId: 'branch-1', userId: 'user-7', status };
      const own = await rows<{ id: string }>(
        database,
        `select order_id as id from customer_order where tenant_id = :tenantId and user_id = :userId
           and (:status::int is null or order_status = :status) order by created_at desc, order_id desc`,
        key,
      );
      expect(await idsOf((page) => listPayersOrders(database, key, page))).to.deep.equal(own.map(({ id }) => id));
      const read = await rowsRead(database, ['customer_order'], (transaction) =>
        listPayersOrders(transaction, key, { cursor: null, limit: LIMIT }),
      );
      expect(read.scanned).to.equal(0);
      expect(read.fetched).to.be.at.most(RARE);
    }
  });
});
