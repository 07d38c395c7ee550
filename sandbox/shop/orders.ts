import type { Person } from '../identity/people.ts';
import type { MintToken } from '../identity/tokens.ts';

/** What the shop's page reads of goods. */
export interface ShopGoods {
  goodsId: string;
  name: string;
  pricingType: string;
  stock: number | null;
  paymentOptions: { paymentOptionId: string; name: string; pointAmount: number; cashAmount: number }[];
}

export interface ShopCoupon {
  couponId: string;
  name: string;
}

/** The order service does not do what the shop asks for. */
export class OrderRejected extends Error {
  override name = 'OrderRejected';
}

export interface ShopDeps {
  mint: MintToken;
  /** Where the order service is. */
  ordersUrl: string;
}

const DEADLINE_MS = 10_000;

interface Envelope {
  code?: number;
  message?: string;
  data?: unknown;
}

/** The order service as its callers see it, by platform tokens of the people who can sign in. */
export function createShopOrders({ mint, ordersUrl }: ShopDeps) {
  async function call<Data>(person: Person, method: 'GET' | 'POST', path: string, body?: unknown): Promise<Data> {
    const token = await mint(person);
    const response = await fetch(`${ordersUrl}/transaction/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(DEADLINE_MS),
    }).catch((error: unknown) => {
      throw new OrderRejected('The order service cannot be reached', { cause: error });
    });
    const { code, message, data } = (await response.json()) as Envelope;
    if (code !== 1000) throw new OrderRejected(`${code}: ${message}`);
    return data as Data;
  }
  const itemsOf = async <Item>(page: Promise<{ items: Item[] }>): Promise<Item[]> => (await page).items;

  return {
    /** The merchant's own catalogue. */
    goods: (tenantId: string) => {
      const merchant: Person = { sub: 'sandbox-shop', name: 'Sandbox shop', tenantId, roles: ['order_admin'] };
      const path = `/admin/goods?tenantId=${encodeURIComponent(tenantId)}&limit=200`;
      return itemsOf(call<{ items: ShopGoods[] }>(merchant, 'GET', path));
    },
    coupons: (person: Person) =>
      itemsOf(
        call<{ items: ShopCoupon[] }>(person, 'POST', '/user/coupons', { tenantId: person.tenantId, limit: 200 }),
      ),
    /** @returns the order's id */
    create: async (person: Person, order: object): Promise<string> => {
      const body = { ...order, tenantId: person.tenantId };
      return (await call<{ orderId: string }>(person, 'POST', '/user/order/create', body)).orderId;
    },
  };
}

export type ShopOrders = ReturnType<typeof createShopOrders>;
