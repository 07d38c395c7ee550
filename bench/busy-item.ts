import { jsonClient } from '../scripts/demo/client.ts';
import { launchMortalPostgres } from '../test/support/servers/servers.ts';
import { type Stack, startStack } from '../test/support/services/stack.ts';
import { post, type LoadFigures } from './load.ts';

const QUIET = 60;
const BUSY = 200;
/** Bursts follow each other, so that most of the quiet tenant's pays fall into them. */
const BURSTS = 3;

interface ApiResponse<Data> {
  code: number;
  data: Data;
}

/** A tenant whose only item costs a point, and cash beside it; one payer pays for all. */
async function openTenant(stack: Stack, { tenantId, cash }: { tenantId: string; cash: number }) {
  const sandbox = jsonClient(stack.addresses.sandbox);
  const tokenOf = async (roles: string[]) =>
    (await sandbox.post<{ token: string }>('/sandbox/tokens', { sub: 'payer', name: 'Payer', tenantId, roles })).token;
  const staff = jsonClient(`${stack.addresses.orders}/transaction/v1/admin`, await tokenOf(['order_admin']));
  await staff.put(`/tenants/${tenantId}`, { name: tenantId, businessType: 0, PAYGW_shopId: `paygw-${tenantId}` });
  await staff.put(`/goods/item-${tenantId}`, {
    tenantId,
    name: 'item',
    pricingType: 'PAYMENT_OPTIONS',
    stock: 1_000_000,
    paymentOptions: [{ paymentOptionId: 'o', name: 'DEFAULT', pointAmount: 1, cashAmount: cash }],
  });
  await staff.post('/points/grant', { tenantId, userId: 'payer', kind: 'tenant', amount: 1_000_000, key: 'bench' });
  const token = await tokenOf([]);
  const payer = jsonClient(`${stack.addresses.orders}/transaction/v1`, token);
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const body = JSON.stringify({ tenantId });
  const order = { tenantId, items: [{ goodsId: `item-${tenantId}` }], pointsPlan: { tenantPoints: 1 } };
  return {
    async create(count: number): Promise<{ path: string; headers: Record<string, string>; body: string }[]> {
      const requests = [];
      for (let made = 0; made < count; made += 1) {
        const { data } = await payer.post<ApiResponse<{ orderId: string }>>('/user/order/create', order);
        requests.push({ path: `/transaction/v1/user/order/${data.orderId}/pay`, headers, body });
      }
      return requests;
    },
  };
}

/** One tenant's pays, one after the other, alone and then beside bursts of another tenant's. */
async function measure(stack: Stack, kind: string, cash: number) {
  const quiet = await openTenant(stack, { tenantId: `quiet-${kind}`, cash });
  const busy = await openTenant(stack, { tenantId: `busy-${kind}`, cash });
  const url = stack.addresses.orders;
  const oneByOne = async (count: number): Promise<LoadFigures> =>
    post({ url, requests: await quiet.create(count), atOnce: 1, repeated: 503 });
  await oneByOne(20);
  const alone = await oneByOne(QUIET);
  const requests = await quiet.create(QUIET);
  const bursts = await Promise.all(Array.from({ length: BURSTS }, () => busy.create(BUSY)));
  const crowd = async () => {
    const figures: LoadFigures[] = [];
    for (const burst of bursts) figures.push(await post({ url, requests: burst, atOnce: BUSY, repeated: 503 }));
    return figures;
  };
  const [beside, crowded] = await Promise.all([post({ url, requests, atOnce: 1, repeated: 503 }), crowd()]);
  return { alone, beside, ratioP95: Math.round((beside.p95Ms / alone.p95Ms) * 100) / 100, bursts: crowded };
}

/**
 * One tenant's pays, one after the other, first alone and then while another tenant has 200 pays of one item under way
 * at once: for points alone, and with cash. What counts is the ratio, measured in the same run.
 */
export async function busyItem() {
  const postgres = await launchMortalPostgres();
  // All of a tenant's orders are one payer's.
  const env = { ORDERS_MAX_OPEN_HOLDS: '100000' };
  const stack = await startStack({ services: ['sandbox', 'orders'], postgres: postgres.url, env });
  try {
    return { points: await measure(stack, 'points', 0), cash: await measure(stack, 'cash', 10) };
  } finally {
    await stack.stop();
    await postgres.stop();
  }
}
