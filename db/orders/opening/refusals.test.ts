import { expect } from 'chai';
import * as fc from 'fast-check';
import { type Database, rows } from '#db/database.ts';
import { orderStatus } from '#domain/orders/states.ts';
import { lineOf, openingOf, seedGoods, seedOrder, seedTenants } from '#test/orders/support/order-rows.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { completeAtOnce, openPayment } from './open.ts';

/** What there is for one order, and what it needs of it. */
interface World {
  total: number;
  shop: boolean;
  coupon: null | 'own' | 'another payer’s' | 'another tenant’s' | 'held' | 'used';
  /** Of each kind: how many it needs, and how many there are; no account where that is null. */
  points: Record<'tenant' | 'district' | 'wallet', { needed: number; available: number | null }>;
  /** Pieces of the first goods on two lines, of the second on one; stock null is without limit, and −1 no such goods. */
  goods: { qty: [number, number]; stock: number | null; held: number }[];
  /** Of the payer's other orders. */
  openHolds: number;
}

const MAX_OPEN_HOLDS = 2;

const few = (max: number) => fc.nat({ max });
const points = fc.record({
  needed: fc.constantFrom(0, 0, 3),
  available: fc.constantFrom(null, 2, 3, 3, 9, 9),
});
const worlds: fc.Arbitrary<World> = fc.record({
  total: fc.constantFrom(0, 1000, 1000),
  shop: fc.constantFrom(false, true, true, true, true, true),
  coupon: fc.constantFrom(null, null, null, null, 'own', 'own', 'another payer’s', 'another tenant’s', 'held', 'used'),
  points: fc.record({ tenant: points, district: points, wallet: points }),
  goods: fc.array(
    fc.record({
      qty: fc.tuple(few(2), few(1)),
      stock: fc.constantFrom(null, -1, 2, 3, 5, 9, 9, 9),
      held: few(1),
    }),
    { maxLength: 2 },
  ),
  openHolds: fc.constantFrom(0, 0, 0, 1, 2, 3),
});

const kinds = ['tenant', 'district', 'wallet'] as const;
const qtyOf = ({ qty: [one, other] }: World['goods'][number]) => one + other;

/** The code that pay answers with, in the order in which it refuses; null where it does not. */
function expected({ total, shop, coupon, points: wanted, goods, openHolds }: World): string | null {
  const holds = coupon !== null || kinds.some((kind) => wanted[kind].needed > 0) || goods.some((one) => qtyOf(one) > 0);
  if (total > 0 && !shop) return '90204';
  if (coupon !== null && coupon !== 'own') return '90201';
  if (total > 0 && holds && openHolds >= MAX_OPEN_HOLDS) return '90039 open_holds';
  const lacks = (one: World['goods'][number]) =>
    qtyOf(one) > 0 && one.stock !== null && one.stock - one.held < qtyOf(one);
  if (goods.some(lacks)) return '90039';
  return kinds.some((kind) => wanted[kind].needed > (wanted[kind].available ?? 0)) ? '90300' : null;
}

const couponRows: Record<NonNullable<World['coupon']>, Record<string, unknown>> = {
  own: {},
  'another payer’s': { user_id: 'somebody' },
  'another tenant’s': { tenant_id: 'other' },
  held: { status: 'reserved', order_id: 'another' },
  used: { status: 'used', order_id: 'another' },
};

async function seedHolds(database: Database, name: string, openHolds: number): Promise<void> {
  for (let number = 0; number < openHolds; number += 1) {
    const orderId = `${name}-held-${number}`;
    await seedOrder(database, orderId, {
      tenantId: name,
      pointsTenantId: name,
      tenantPoints: 1,
      orderStatus: orderStatus.PAYMENT_PENDING,
    });
    await database('payment_attempt').insert({
      order_id: orderId,
      attempt: 1,
      hold_status: 'reserved',
      expires_at: new Date(),
    });
  }
}

/** A tenant with this name, its order and what there is at it. */
async function seed(database: Database, name: string, world: World): Promise<void> {
  await database('tenant').insert({
    tenant_id: name,
    name,
    business_type: 0,
    shop_id: world.shop ? `paygw-${name}` : null,
  });
  await seedHolds(database, name, world.openHolds);
  if (world.coupon !== null)
    await database('coupon').insert({
      coupon_id: name,
      name,
      tenant_id: name,
      user_id: 'payer',
      ...couponRows[world.coupon],
    });
  for (const kind of kinds) {
    const { available } = world.points[kind];
    if (available !== null)
      await database('point_account').insert({
        tenant_id: name,
        user_id: 'payer',
        kind,
        granted: available,
        available,
      });
  }
  for (const [index, { stock, held }] of world.goods.entries()) {
    if (stock === -1) continue;
    const goodsId = `${name}-${index}`;
    await seedGoods(database, goodsId, 0);
    await database('goods').where({ goods_id: goodsId }).update({ stock, held });
  }
  await seedOrder(database, name, {
    tenantId: name,
    pointsTenantId: name,
    totalMinor: world.total,
    grossMinor: world.total,
    tenantPoints: world.points.tenant.needed,
    districtPoints: world.points.district.needed,
    walletPoints: world.points.wallet.needed,
    couponIds: world.coupon === null ? [] : [name],
    lines: world.goods.flatMap(({ qty }, index) =>
      qty.filter((one) => one > 0).map((one) => lineOf(`${name}-${index}`, one)),
    ),
  });
}

/** What can be held, as it is. */
const holdings = async (database: Database, name: string) =>
  rows(
    database,
    `select (select jsonb_agg(to_jsonb(a) order by a.kind) from point_account a where a.tenant_id = :name) as points,
       (select jsonb_agg(to_jsonb(c)) from coupon c where c.coupon_id = :name) as coupons,
       (select jsonb_agg(jsonb_build_object('stock', g.stock, 'held', g.held) order by g.goods_id)
        from goods g where g.goods_id like :name || '-%') as goods,
       (select count(*) from payment_attempt where order_id = :name) as attempts,
       (select count(*) from ledger_entry where order_id = :name) as entries`,
    { name },
  );

describe('a payment that is not opened', () => {
  const database = useDatabase('orders');
  before(() => seedTenants(database));
  let made = 0;

  /** Opens a payment in this world. @returns what it is refused with; null where it is opened */
  async function open(world: World): Promise<string | null> {
    const name = `w${(made += 1)}`;
    await seed(database, name, world);
    const before = await holdings(database, name);
    const { state, error, terms } =
      world.total === 0
        ? await completeAtOnce(database, openingOf(name))
        : await openPayment(database, openingOf(name), { maxOpenHolds: MAX_OPEN_HOLDS });
    const after = await holdings(database, name);
    if (error === null) {
      expect(state).to.include({ orderStatus: world.total === 0 ? orderStatus.DONE : orderStatus.PAYMENT_PENDING });
      expect(after).to.not.deep.equal(before);
      return null;
    }
    expect(terms).to.equal(null);
    expect(state).to.include({ orderStatus: orderStatus.CREATED, attempt: 2, expiresAt: null });
    expect(after).to.deep.equal(before);
    return error.reason ? `${error.code} ${error.reason}` : String(error.code);
  }

  it('says why, in the order in which pay refuses, and holds nothing', async () => {
    const seen = new Set<string | null>();
    await fc.assert(
      fc.asyncProperty(worlds, async (world) => {
        const found = await open(world);
        seen.add(found);
        expect(found).to.equal(expected(world));
      }),
      { numRuns: 80, seed: 20_261_128 },
    );
    expect([...seen].map(String).toSorted()).to.deep.equal([
      '90039',
      '90039 open_holds',
      '90201',
      '90204',
      '90300',
      'null',
    ]);
  });
});
