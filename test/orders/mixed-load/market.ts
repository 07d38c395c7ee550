import { createRandom } from '#sandbox/random.ts';
import { type Caller, type Callers, succeeded } from './callers.ts';

export interface Payer extends Caller {
  userId: string;
}

export interface Shop {
  tenantId: string;
  shopId: string;
  staff: Caller;
  payers: Payer[];
  /** Ids of goods, with the stock they began with; null is unlimited. */
  goods: Map<string, number | null>;
}

/** What every payer is given of each kind. */
export const GRANTED = 2000;
const PAYERS = 20;
const SCARCE = 15;
const PLENTY = 100_000;

async function openShop(callers: Callers, tenantId: string, index: number): Promise<Shop> {
  const staff = await callers.person(`staff-${tenantId}`, tenantId, ['order_admin']);
  const shopId = `paygw-${tenantId}`;
  const setting = { name: tenantId, businessType: 0, PAYGW_shopId: shopId, currency: index === 1 ? 'USD' : 'TWD' };
  succeeded('a tenant', await staff.call('putTenant', 'PUT', `/admin/tenants/${tenantId}`, setting));
  const goods = new Map<string, number | null>([
    [`${tenantId}-air`, null],
    [`${tenantId}-lamp`, PLENTY],
    [`${tenantId}-vase`, SCARCE],
  ]);
  for (const [goodsId, stock] of goods) {
    const paymentOptions = [{ paymentOptionId: 'o', name: 'DEFAULT', pointAmount: 3, cashAmount: 12.5 }];
    const body = { tenantId, name: goodsId, pricingType: 'PAYMENT_OPTIONS', stock, paymentOptions };
    succeeded('goods', await staff.call('putGoods', 'PUT', `/admin/goods/${goodsId}`, body));
  }
  const payers: Payer[] = [];
  for (let count = 0; count < PAYERS; count += 1) {
    const userId = `${tenantId}-payer-${count}`;
    for (const kind of ['tenant', 'wallet']) {
      const grant = { tenantId, userId, kind, amount: GRANTED, key: `${userId}-${kind}` };
      succeeded('a grant', await staff.call('grant', 'POST', '/admin/points/grant', grant));
    }
    payers.push({ userId, ...(await callers.person(userId, tenantId, [])) });
  }
  return { tenantId, shopId, staff, payers, goods };
}

/** Some tenants with a shop each, goods (unlimited, plenty, scarce), and payers with points. */
export async function openMarket(callers: Callers): Promise<Shop[]> {
  const shops: Shop[] = [];
  for (const [index, tenantId] of ['north', 'south', 'east'].entries())
    shops.push(await openShop(callers, tenantId, index));
  return shops;
}

/** Numbers in [0, 1) of one order, always the same for its seed and number. */
export type Random = () => number;
export const randomOf = (seed: number, number: number): Random => createRandom(seed * 1_000_003 + number);

export function pick<Item>(random: Random, items: readonly Item[]): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('there is nothing to choose from');
  return item;
}

/** What an order is for: an amount, goods, or an amount less points or with a coupon of the payer's. */
export async function createBody(
  random: Random,
  { shop, payer, number, free }: { shop: Shop; payer: Payer; number: number; free: boolean },
): Promise<object> {
  const { tenantId, staff } = shop;
  if (free) return { tenantId, pointsPlan: { tenantPoints: 1 + Math.floor(random() * 20) } };
  const kind = random();
  if (kind < 0.4) {
    const goodsId = pick(random, [...shop.goods.keys()]);
    const qty = 1 + Math.floor(random() * 2);
    return { tenantId, items: [{ goodsId, qty }], pointsPlan: { tenantPoints: 3 * qty } };
  }
  const grossCents = 500 + Math.floor(random() * 10_000);
  const units = kind < 0.7 ? 1 + Math.floor(random() * 4) : 0;
  const couponIds: string[] = [];
  if (kind >= 0.9) {
    const couponId = `coupon-${tenantId}-${number}`;
    const coupon = { tenantId, userId: payer.userId, name: couponId };
    const put = await staff.call('putCoupon', 'PUT', `/admin/coupons/${couponId}`, coupon);
    if (put.code === 1000) couponIds.push(couponId);
  }
  return {
    tenantId,
    grossMoneyAmount: grossCents / 100,
    moneyAmount: (grossCents - 100 * units) / 100,
    pointsPlan: { walletPoints: 4 * units, couponIds },
  };
}
