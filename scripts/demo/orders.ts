import type { JsonClient } from './client.ts';
import { operator, tenant } from './content.ts';
import { untilAccepted } from './patience.ts';

interface ApiResponse<T> {
  code: number;
  data: T;
}

interface ApiPage<Item> {
  items: Item[];
}

const { tenantId } = tenant;
const beans = 'harbor-beans';
const mug = 'harbor-mug';

const goods = {
  [beans]: {
    name: 'Autumn beans, 250 g',
    pricingType: 'PAYMENT_OPTIONS',
    stock: 200,
    paymentOptions: [
      { paymentOptionId: 'beans-cash', name: 'DEFAULT', pointAmount: 50, cashAmount: 320 },
      { paymentOptionId: 'beans-points', name: 'POINTS', pointAmount: 400, cashAmount: 0 },
    ],
  },
  [mug]: {
    name: 'Harbor mug',
    pricingType: 'RATE_CONVERTED',
    stock: 40,
    paymentOptions: [{ paymentOptionId: 'mug', name: 'DEFAULT', pointAmount: 0, cashAmount: 480 }],
  },
  'harbor-course': {
    name: 'Latte art course, online',
    pricingType: 'PAYMENT_OPTIONS',
    stock: null,
    paymentOptions: [{ paymentOptionId: 'course', name: 'DEFAULT', pointAmount: 0, cashAmount: 900 }],
  },
};

/** One is used, one is held by an order that waits for payment, and two can be used. */
const coupons = {
  'harbor-birthday': 'A birthday coffee',
  'harbor-cake': 'Cake of the day',
  'harbor-refill': 'A refill',
  'harbor-welcome': 'Welcome to the harbor',
};

/** Puts what is missing: what exists may have been sold, held or changed meanwhile. */
async function seedCatalogue(orders: JsonClient): Promise<void> {
  await orders.put(`/admin/tenants/${tenantId}`, {
    name: 'Harbor Coffee',
    businessType: 0,
    PAYGW_shopId: 'shop-harbor-coffee',
  });
  const ids = async (path: string, name: string): Promise<Set<unknown>> => {
    const { data } = await orders.get<ApiResponse<ApiPage<Record<string, unknown>>>>(path);
    return new Set(data.items.map((item) => item[name]));
  };
  const goodsIds = await ids('/admin/goods?q=harbor-&limit=200', 'goodsId');
  for (const [goodsId, body] of Object.entries(goods))
    if (!goodsIds.has(goodsId)) await orders.put(`/admin/goods/${goodsId}`, { tenantId, ...body });
  const couponIds = await ids(`/admin/coupons?userId=${operator.sub}&limit=200`, 'couponId');
  for (const [couponId, name] of Object.entries(coupons))
    if (!couponIds.has(couponId))
      await orders.put(`/admin/coupons/${couponId}`, { tenantId, userId: operator.sub, name });
}

async function givePoints(orders: JsonClient): Promise<void> {
  const owner = { tenantId, userId: operator.sub };
  for (const [kind, amount] of Object.entries({ tenant: 5000, wallet: 2000 }))
    await orders.post('/admin/points/grant', { ...owner, kind, amount, key: `demo-${kind}` });
}

/** What staff do by hand. Only before the first order, because later there may be too little to take from. */
async function correct(orders: JsonClient): Promise<void> {
  const changeStock = (goodsId: string, delta: number, reason: string) =>
    orders.post(`/admin/goods/${goodsId}/stock`, { delta, reason, key: `demo-${goodsId}` });
  await changeStock(mug, -3, 'Broken in transit');
  await changeStock(beans, 50, 'Delivery from the roaster');
  const adjust = (kind: string, delta: number, reason: string) =>
    orders.post('/admin/points/adjust', { tenantId, userId: operator.sub, kind, delta, reason, key: `demo-${kind}` });
  await adjust('tenant', 120, 'Points for a purchase before the points card');
  await adjust('wallet', -200, 'Credited twice');
}

async function order(orders: JsonClient, title: string, items: object[], pointsPlan: object): Promise<string> {
  const { data } = await orders.post<ApiResponse<{ orderId: string }>>('/user/order/create', {
    tenantId,
    title,
    items,
    pointsPlan,
  });
  return data.orderId;
}

/** Begins the payment, which may be repeated: beside all else, the gateway may respond too late. */
export const pay = (orders: JsonClient, orderId: string, more: object = {}): Promise<void> =>
  untilAccepted('a payment begins', () => orders.post(`/user/order/${orderId}/pay`, { tenantId, ...more }), 503);

/** Whether there is an order with this title. */
export async function isOrdered(orders: JsonClient, title: string): Promise<boolean> {
  const { data } = await orders.get<ApiResponse<ApiPage<{ title: string }>>>(
    `/admin/orders?limit=50&q=${encodeURIComponent(title)}`,
  );
  return data.items.some((one) => one.title === title);
}

/** Goods, coupons, points and three orders of the operator: paid with points, waiting for payment, and not paid yet. */
export async function seedOrders(orders: JsonClient): Promise<void> {
  await seedCatalogue(orders);
  await givePoints(orders);
  const { data } = await orders.post<ApiResponse<ApiPage<unknown>>>('/user/order/list', { tenantId, limit: 1 });
  if (data.items.length > 0) return;
  await correct(orders);
  const points = await order(orders, 'Beans for points', [{ goodsId: beans, paymentOptionId: 'beans-points' }], {
    tenantPoints: 400,
    couponIds: ['harbor-welcome'],
  });
  await pay(orders, points);
  const waiting = await order(orders, 'Beans and a mug', [{ goodsId: beans, qty: 2 }, { goodsId: mug }], {
    tenantPoints: 100,
    walletPoints: 400,
    couponIds: ['harbor-cake'],
  });
  await pay(orders, waiting, { reserveTimeoutSeconds: 86_400 });
  await order(orders, 'One more mug', [{ goodsId: mug }], {});
}
