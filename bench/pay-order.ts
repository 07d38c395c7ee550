import { jsonClient } from '../scripts/demo/client.ts';
import { launchMortalPostgres } from '../test/support/servers/servers.ts';
import { sandboxToken } from '../test/support/services/sandbox-token.ts';
import { type Stack, startStack } from '../test/support/services/stack.ts';
import { peakMemory } from '../test/support/services/vast-tenant.ts';
import { startFloor } from './floors/start-floor.ts';
import { type LoadFigures, post } from './load.ts';
import { middle, ratio } from './rounds.ts';

const tenantId = 'bench';
const AT_ONCE = 20;

interface ApiResponse<Data> {
  code: number;
  data: Data;
}

type Requests = Parameters<typeof post>[0]['requests'];

const tokenOf = (stack: Stack, sub: string, roles: string[]): Promise<string> =>
  sandboxToken(jsonClient(stack.addresses.sandbox), { sub, tenantId, roles });

/** Orders that wait for their one pay. Each payer has a few: nobody may have many unpaid ones open. */
async function createOrders(stack: Stack, order: object, count: number): Promise<Requests> {
  const requests: Requests = [];
  for (let number = 0; number < count; number += 1) {
    const token = await tokenOf(stack, `payer-${number % 50}`, []);
    const payer = jsonClient(`${stack.addresses.orders}/transaction/v1`, token);
    const created = await payer.post<ApiResponse<{ orderId: string }>>('/user/order/create', { tenantId, ...order });
    requests.push({
      path: `/transaction/v1/user/order/${created.data.orderId}/pay`,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ tenantId }),
    });
  }
  return requests;
}

/** An order that waits has its charge read again and again, which would be measured with whatever comes after it. */
const cancels = (pays: Requests): Requests =>
  pays.map(({ path, ...request }) => ({ path: path.replace(/pay$/, 'cancel'), ...request }));

interface Compared {
  floor: LoadFigures;
  points: LoadFigures;
  cash: LoadFigures;
  /** A pay with cash, in floors. */
  cashOfFloor: { p50: number; perSecond: number };
}

/** A pay is complete when its response has the paymentUrl, or DONE. */
async function compare(
  stack: Stack,
  floorUrl: string,
  { orders, rounds, atOnce }: { orders: number; rounds: number; atOnce: number },
): Promise<Compared> {
  const kinds = {
    points: { pointsPlan: { tenantPoints: 1 } },
    cash: { grossMoneyAmount: 10, moneyAmount: 10 },
  };
  const measured = { floor: [] as LoadFigures[], points: [] as LoadFigures[], cash: [] as LoadFigures[] };
  const bare = Array.from({ length: orders }, () => ({ path: '/', headers: {}, body: '' }));
  for (let round = 0; round <= rounds; round += 1) {
    const points = await createOrders(stack, kinds.points, orders);
    const cash = await createOrders(stack, kinds.cash, orders);
    const figures = {
      floor: await post({ url: floorUrl, requests: bare, atOnce }),
      points: await post({ url: stack.addresses.orders, requests: points, atOnce }),
      cash: await post({ url: stack.addresses.orders, requests: cash, atOnce }),
    };
    await post({ url: stack.addresses.orders, requests: cancels(cash), atOnce });
    // The first round warms everything up.
    if (round === 0) continue;
    for (const name of ['floor', 'points', 'cash'] as const) measured[name].push(figures[name]);
  }
  const [floor, points, cash] = [middle(measured.floor), middle(measured.points), middle(measured.cash)];
  const cashOfFloor = { p50: ratio(cash.p50Ms, floor.p50Ms), perSecond: ratio(cash.perSecond, floor.perSecond) };
  return { floor, points, cash, cashOfFloor };
}

/**
 * Pays of points alone, which one transaction completes, and of cash, through update-with-start of payOrder, one at a
 * time and 20 at once; the latency is the time a payer waits. The floor is update-with-start of a workflow with one
 * local and one normal activity that do nothing.
 */
export async function payOrder({ orders = 100, rounds = 5 }: Partial<Record<'orders' | 'rounds', number>>) {
  const postgres = await launchMortalPostgres();
  const stack = await startStack({ services: ['sandbox', 'orders'], postgres: postgres.url });
  try {
    const staff = await tokenOf(stack, 'staff', ['order_admin']);
    const admin = jsonClient(`${stack.addresses.orders}/transaction/v1/admin`, staff);
    await admin.put(`/tenants/${tenantId}`, { name: 'Bench', businessType: 0, PAYGW_shopId: 'shop' });
    for (let number = 0; number < 50; number += 1) {
      const grant = { tenantId, userId: `payer-${number}`, kind: 'tenant', amount: 1_000_000, key: `bench-${number}` };
      await admin.post('/points/grant', grant);
    }
    const { address, namespace } = stack.temporal;
    const floor = await startFloor(stack, 'bare-update', { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace });
    const oneByOne = await compare(stack, floor.url, { orders, rounds, atOnce: 1 });
    const manyAtOnce = await compare(stack, floor.url, { orders, rounds, atOnce: AT_ONCE });
    await floor.child.stop();
    const ordersMiB = peakMemory(stack.child('orders').pid);
    return { orders, rounds, oneByOne, atOnce: AT_ONCE, manyAtOnce, ordersMiB };
  } finally {
    await stack.stop();
    await postgres.stop();
  }
}
