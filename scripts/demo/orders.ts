import type { JsonClient } from './client.ts';
import { operator, tenant } from './content.ts';

interface ApiResponse<T> {
  code: number;
  data: T;
}

interface OrderPage {
  items: { orderId: string }[];
}

const { tenantId } = tenant;
const beans = 'harbor-beans';
const mug = 'harbor-mug';

async function seedCatalogue(orders: JsonClient): Promise<void> {
  await orders.put(`/admin/tenants/${tenantId}`, {
    name: 'Harbor Coffee',
    businessType: 0,
    PAYGW_shopId: 'shop-harbor-coffee',
  });
  await orders.put(`/admin/goods/${beans}`, {
    tenantId,
    name: 'Autumn beans, 250 g',
    pricingType: 'PAYMENT_OPTIONS',
    stock: 200,
    paymentOptions: [
      { paymentOptionId: 'beans-cash', name: 'DEFAULT', pointAmount: 50, cashAmount: 320 },
      { paymentOptionId: 'beans-points', name: 'POINTS', pointAmount: 400, cashAmount: 0 },
    ],
  });
  await orders.put(`/admin/goods/${mug}`, {
    tenantId,
    name: 'Harbor mug',
    pricingType: 'RATE_CONVERTED',
    stock: 40,
    paymentOptions: [{ paymentOptionId: 'mug', name: 'DEFAULT', pointAmount: 0, cashAmount: 480 }],
  });
}

async function grantPoints(orders: JsonClient): Promise<void> {
  for (const [kind, amount] of Object.entries({ tenant: 5000, wallet: 2000 })) {
    await orders.post('/admin/points/grant', { tenantId, userId: operator.sub, kind, amount, key: `demo-${kind}` });
  }
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

/** Goods, points and three orders of the operator: paid with points, waiting for payment, and not paid yet. */
export async function seedOrders(orders: JsonClient): Promise<void> {
  await seedCatalogue(orders);
  await grantPoints(orders);
  const { data } = await orders.post<ApiResponse<OrderPage>>('/user/order/list', { tenantId, limit: 1 });
  if (data.items.length > 0) return;
  const points = await order(orders, 'Beans for points', [{ goodsId: beans, paymentOptionId: 'beans-points' }], {
    tenantPoints: 400,
  });
  await orders.post(`/user/order/${points}/pay`, { tenantId });
  const waiting = await order(orders, 'Beans and a mug', [{ goodsId: beans, qty: 2 }, { goodsId: mug }], {
    tenantPoints: 100,
    walletPoints: 400,
  });
  await orders.post(`/user/order/${waiting}/pay`, { tenantId, reserveTimeoutSeconds: 86_400 });
  await order(orders, 'One more mug', [{ goodsId: mug }], {});
}
