import type { Balances, CreatedData, StaffOrderData } from '#domain/orders/responses.ts';
import type { CreateOrder } from '#domain/orders/requests.ts';
import { type JsonClient, jsonClient } from '#scripts/demo/client.ts';
import type { Person } from '../browser/people.ts';
import { eventually } from '../time/eventually.ts';
import { sandboxToken } from './sandbox-token.ts';
import type { ServedPlatform } from './stack.ts';

interface Reply<Data> {
  data: Data;
}

interface Charge {
  chargeId: string;
  amount: number;
  status: string;
  refunds?: { amount: number }[];
}

/** The order service as one person: an order administrator who is also the payer. */
export interface Shop extends JsonClient {
  /** The tenant's at the payment gateway. */
  shopId: string;
  /** Of the boxes. */
  goodsId: string;
  read<Data>(path: string): Promise<Data>;
  create(order: Partial<CreateOrder>): Promise<CreatedData>;
  /** An order of two boxes: 1,234.50 TWD and 40 points. */
  createBoxes(title: string): Promise<CreatedData>;
  /** The same, paid at the payment gateway. @returns its id */
  payBoxes(title: string): Promise<string>;
  stored(orderId: string): Promise<StaffOrderData>;
  /** The statuses of order, points and payment: "30/30/0". */
  statuses(orderId: string): Promise<string>;
  becomes(orderId: string, statuses: string): Promise<unknown>;
  balances(): Promise<Balances>;
  /** An order's charges at the payment gateway. */
  charges(orderNo: string): Promise<Charge[]>;
}

/** Both are one tenant's alone. */
const idsOf = (tenantId: string) => ({ shopId: `shop-of-${tenantId}`, goodsId: `box-of-${tenantId}` });

function shopOf(
  client: JsonClient,
  { stack, person }: { stack: Pick<ServedPlatform, 'addresses'>; person: Person },
): Shop {
  const { tenantId, sub: userId } = person;
  const { shopId, goodsId } = idsOf(tenantId);
  const sandbox = jsonClient(stack.addresses.sandbox);
  const read = async <Data>(path: string): Promise<Data> => (await client.get<Reply<Data>>(path)).data;
  const create = async (order: Partial<CreateOrder>): Promise<CreatedData> =>
    (await client.post<Reply<CreatedData>>('/user/order/create', { tenantId, ...order })).data;
  const createBoxes = (title: string) =>
    create({ title, items: [{ goodsId, qty: 2 }], pointsPlan: { tenantPoints: 40 } });
  const stored = (orderId: string) => read<StaffOrderData>(`/admin/orders/${orderId}`);
  async function statuses(orderId: string): Promise<string> {
    const { orderStatus, pointsStatus, paymentStatus } = await stored(orderId);
    return `${orderStatus}/${pointsStatus}/${paymentStatus}`;
  }
  const becomes = (orderId: string, awaited: string) =>
    eventually(`the order is ${awaited}`, async () => (await statuses(orderId)) === awaited);
  async function payBoxes(title: string): Promise<string> {
    const { orderId } = await createBoxes(title);
    await client.post(`/user/order/${orderId}/pay`, { tenantId });
    const { attempts } = await stored(orderId);
    await sandbox.post(`/sandbox/charges/${attempts[0]?.chargeId}:pay`, {});
    await becomes(orderId, '30/30/30');
    return orderId;
  }
  const balances = () => read<Balances>(`/admin/points?tenantId=${tenantId}&userId=${userId}`);
  const charges = async (orderNo: string) =>
    (await sandbox.get<{ items: Charge[] }>(`/sandbox/charges?orderNo=${orderNo}`)).items;
  return {
    ...client,
    shopId,
    goodsId,
    read,
    create,
    createBoxes,
    payBoxes,
    stored,
    statuses,
    becomes,
    balances,
    charges,
  };
}

/** The order service as this person's own client. */
export async function ordersAs(stack: Pick<ServedPlatform, 'addresses'>, person: Person): Promise<JsonClient> {
  const token = await sandboxToken(jsonClient(stack.addresses.sandbox), person);
  return jsonClient(`${stack.addresses.orders}/transaction/v1`, token);
}

/**
 * Opens a shop in the person's tenant: goods, boxes, at 617.25 TWD and 20 points each, and 1000 tenant points for the
 * person.
 * @returns the order service as that person, who must be an order administrator
 */
export async function openShop(stack: Pick<ServedPlatform, 'addresses'>, person: Person): Promise<Shop> {
  const { tenantId, sub: userId } = person;
  const { shopId, goodsId } = idsOf(tenantId);
  const orders = await ordersAs(stack, person);
  await orders.put(`/admin/tenants/${tenantId}`, { name: 'Harbor Coffee', businessType: 0, PAYGW_shopId: shopId });
  await orders.put(`/admin/goods/${goodsId}`, {
    tenantId,
    name: 'Winter box',
    pricingType: 'PAYMENT_OPTIONS',
    stock: 100,
    paymentOptions: [{ paymentOptionId: 'DEFAULT', name: 'DEFAULT', pointAmount: 20, cashAmount: 617.25 }],
  });
  await orders.post('/admin/points/grant', { tenantId, userId, kind: 'tenant', amount: 1000, key: 'start' });
  return shopOf(orders, { stack, person });
}
