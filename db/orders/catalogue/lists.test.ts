import { expect } from 'chai';
import { rowsRead } from '#test/support/servers/rows-read.ts';
import { useDatabase, useTestDatabase } from '#test/support/fixtures/database.ts';
import type { Page } from '#domain/api/primitives.ts';
import type { PageRequest } from '#domain/cursor.ts';
import { type Database, rows } from '#db/database.ts';
import { listAudit } from '../audit.ts';
import { listAccounts, listEntries } from '../points/lists.ts';
import { listCoupons } from './coupons.ts';
import { listGoods } from './goods.ts';
import { listRefunds } from '../refunds/list.ts';
import { listStockChanges } from './stock-history.ts';

const ROWS = 20_000;
const LIMIT = 50;
/** Above a page of users with three accounts or movements with two rows, and far below everything. */
const FEW = 500;

/** Half of everything belongs to another tenant, and one user of a hundred has half of the movements. */
const fill = [
  `insert into goods (goods_id, tenant_id, name, pricing_type, payment_options)
   select 'g-' || n, drawn.tenant, 'Goods ' || n, 'PAYMENT_OPTIONS', '[]' from drawn`,
  `insert into coupon (coupon_id, tenant_id, user_id, name, status, order_id)
   select 'c-' || n, drawn.tenant, 'u-' || n % 100, '', case when n % 1000 = 0 then 'used' else 'available' end,
     case when n % 1000 = 0 then 'o' end from drawn`,
  `insert into point_account (tenant_id, user_id, kind)
   select drawn.tenant, 'u-' || n, kind from drawn, unnest('{tenant,district,wallet}'::text[]) kind`,
  `insert into ledger_entry (movement, bucket, amount, tenant_id, user_id, kind, actor)
   select 'grant:' || n, bucket, sign, 'shop', case n % 2 when 0 then 'u-1' else 'u-' || 2 * (n % 1000) + 1 end, 'wallet', 's'
   from drawn, (values ('granted', -1), ('available', 1)) sides (bucket, sign) order by n`,
  `insert into stock_change (goods_id, actor, delta, key)
   select case n % 2 when 0 then 'g-1' else 'g-' || n end, 's', 1, n from drawn`,
  `insert into audit_entry (entry_id, tenant_id, actor, action, subject_type, subject_id)
   select gen_random_uuid(), drawn.tenant, 's-' || n % 100, 'goods.put', 'goods', '' from drawn`,
  `insert into refund (refund_id, kind, charge_id, tenant_id, status)
   select 'ch-' || n, 'unaccepted', 'ch-' || n, drawn.tenant, case when n % 100 in (1, 2) then 'needs_staff' else 'confirmed' end
   from drawn`,
].map(
  (insert) => `with drawn as (select n, case n % 2 when 0 then 'other' else 'shop' end as tenant
    from generate_series(1, ${ROWS}) n) ${insert}`,
);

describe('the lists of the catalogue, points, refunds and audit', () => {
  const test = useTestDatabase();
  const database = useDatabase('orders', { on: test });

  before(async () => {
    await rows(
      database,
      `insert into tenant (tenant_id, name, business_type) values ('shop', '', 0), ('other', '', 0)`,
      {},
    );
    for (const insert of fill) await rows(database, insert, {});
    await test.connect('orders', 'owner').raw('analyze');
  });

  type List = (database: Database, page: PageRequest) => Promise<Page<unknown>>;
  const tenantId = 'shop';
  const reach = { withMembers: true, staffTenantId: tenantId };
  const lists: Record<string, { tables: string[]; list: List }> = {
    goods: { tables: ['goods'], list: (on, page) => listGoods(on, { tenantId, q: undefined }, page) },
    coupons: { tables: ['coupon'], list: (on, page) => listCoupons(on, { tenantId }, page) },
    'coupons of a user': { tables: ['coupon'], list: (on, page) => listCoupons(on, { tenantId, userId: 'u-7' }, page) },
    'coupons that a user can use': {
      tables: ['coupon'],
      list: (on, page) => listCoupons(on, { tenantId, userId: 'u-7', status: 'available' }, page),
    },
    'coupons that were used': {
      tables: ['coupon'],
      list: (on, page) => listCoupons(on, { tenantId: 'other', status: 'used' }, page),
    },
    accounts: { tables: ['point_account'], list: (on, page) => listAccounts(on, { tenantId, q: undefined }, page) },
    'accounts by the beginning of an id': {
      tables: ['point_account'],
      list: (on, page) => listAccounts(on, { tenantId, q: 'u-77' }, page),
    },
    movements: {
      tables: ['ledger_entry'],
      list: (on, page) => listEntries(on, { tenantId, userId: 'u-1', kind: undefined }, page),
    },
    'changes of stock': { tables: ['stock_change'], list: (on, page) => listStockChanges(on, 'g-1', page) },
    audit: { tables: ['audit_entry'], list: (on, page) => listAudit(on, { tenantId, actor: undefined }, page) },
    refunds: {
      tables: ['refund'],
      list: (on, page) => listRefunds(on, { ...reach, tenantId: undefined, status: undefined }, page),
    },
    'refunds that need staff': {
      tables: ['refund'],
      list: (on, page) => listRefunds(on, { ...reach, tenantId, status: 'needs_staff' }, page),
    },
    'audit of an actor': {
      tables: ['audit_entry'],
      list: (on, page) => listAudit(on, { tenantId, actor: 's-7' }, page),
    },
  };

  for (const [name, { tables, list }] of Object.entries(lists))
    it(`${name}: read a page, never everything`, async () => {
      const first = await list(database, { cursor: undefined, limit: LIMIT });
      expect(first.items).to.not.deep.equal([]);
      for (const cursor of [undefined, first.nextCursor ?? undefined]) {
        const read = await rowsRead(database, tables, (transaction) => list(transaction, { cursor, limit: LIMIT }));
        expect(read.scanned).to.equal(0);
        expect(read.fetched).to.be.at.most(FEW);
      }
    });
});
