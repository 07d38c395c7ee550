import { jsonClient } from '../scripts/demo/client.ts';
import { launchMortalPostgres } from '../test/support/servers/servers.ts';
import { sandboxToken } from '../test/support/services/sandbox-token.ts';
import { type Stack, startStack } from '../test/support/services/stack.ts';
import { post, type LoadFigures } from './load.ts';

/** Each has fewer payments open than one may have. */
const PAYERS = 60;
/** So many pays of the busy tenant are under way at once, all the time that the other tenant's are measured. */
const AT_ONCE = 200;

interface ApiResponse<Data> {
  code: number;
  data: Data;
}

interface Request {
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** A tenant whose only item costs a point, and cash beside it. */
async function openTenant(stack: Stack, { tenantId, cash }: { tenantId: string; cash: number }) {
  const sandbox = jsonClient(stack.addresses.sandbox);
  const tokenOf = async (sub: string, roles: string[] = []) =>
    sandboxToken(sandbox, { sub, name: sub, tenantId, roles });
  const staff = jsonClient(`${stack.addresses.orders}/transaction/v1/admin`, await tokenOf('staff', ['order_admin']));
  await staff.put(`/tenants/${tenantId}`, { name: tenantId, businessType: 0, PAYGW_shopId: `paygw-${tenantId}` });
  await staff.put(`/goods/item-${tenantId}`, {
    tenantId,
    name: 'item',
    pricingType: 'PAYMENT_OPTIONS',
    stock: 1_000_000,
    paymentOptions: [{ paymentOptionId: 'o', name: 'DEFAULT', pointAmount: 1, cashAmount: cash }],
  });
  const order = { tenantId, items: [{ goodsId: `item-${tenantId}` }], pointsPlan: { tenantPoints: 1 } };
  const body = JSON.stringify({ tenantId });

  async function openPayer(userId: string): Promise<() => Promise<Request>> {
    await staff.post('/points/grant', { tenantId, userId, kind: 'tenant', amount: 1000, key: userId });
    const token = await tokenOf(userId);
    const payer = jsonClient(`${stack.addresses.orders}/transaction/v1`, token);
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    return async () => {
      const { data } = await payer.post<ApiResponse<{ orderId: string }>>('/user/order/create', order);
      return { path: `/transaction/v1/user/order/${data.orderId}/pay`, headers, body };
    };
  }

  const payers = await Promise.all(Array.from({ length: PAYERS }, (_, number) => openPayer(`payer-${number}`)));
  return {
    /** The pays of so many new orders, of one payer after the other. */
    async create(count: number): Promise<Request[]> {
      const requests: Request[] = [];
      while (requests.length < count) for (const payer of payers) requests.push(await payer());
      return requests.slice(0, count);
    },
  };
}

interface Kind {
  name: string;
  cash: number;
  /** How many pays are measured, and how many the other tenant makes meanwhile. */
  quiet: number;
  busy: number;
}

const kinds: Kind[] = [
  { name: 'points', cash: 0, quiet: 150, busy: 2400 },
  { name: 'cash', cash: 10, quiet: 100, busy: 400 },
];

/** One tenant's pays, one after the other, alone and then beside another tenant's. */
async function measure(stack: Stack, { name, cash, quiet, busy }: Kind) {
  const measured = await openTenant(stack, { tenantId: `quiet-${name}`, cash });
  const other = await openTenant(stack, { tenantId: `busy-${name}`, cash });
  const pay = (requests: Request[], atOnce: number): Promise<LoadFigures> =>
    post({ url: stack.addresses.orders, requests, atOnce, repeated: 503 });
  await pay(await measured.create(20), 1);
  const alone = await pay(await measured.create(quiet), 1);
  const [requests, others] = [await measured.create(quiet), await other.create(busy)];
  const [beside, crowd] = await Promise.all([pay(requests, 1), pay(others, AT_ONCE)]);
  return { alone, beside, ratioP95: Math.round((beside.p95Ms / alone.p95Ms) * 100) / 100, crowd };
}

/**
 * One tenant's pays, one after the other, first alone and then while another tenant has 200 pays of one item under way
 * at once: for points alone, and with cash. What counts is the ratio, measured in the same run.
 */
export async function busyItem() {
  const postgres = await launchMortalPostgres();
  const stack = await startStack({ services: ['sandbox', 'orders'], postgres: postgres.url });
  try {
    const figures: Record<string, Awaited<ReturnType<typeof measure>>> = {};
    for (const kind of kinds) figures[kind.name] = await measure(stack, kind);
    return figures;
  } finally {
    await stack.stop();
    await postgres.stop();
  }
}
