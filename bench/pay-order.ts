import { jsonClient } from '../scripts/demo/client.ts';
import { launchMortalPostgres } from '../test/support/servers/servers.ts';
import { type Stack, startStack } from '../test/support/services/stack.ts';
import { type LoadFigures, post } from './load.ts';

const ORDERS = 200;
const tenantId = 'bench';

interface ApiResponse<Data> {
  code: number;
  data: Data;
}

async function tokenOf(stack: Stack, roles: string[]): Promise<string> {
  const sandbox = jsonClient(stack.addresses.sandbox);
  const person = { sub: 'payer', name: 'Payer', tenantId, roles };
  return (await sandbox.post<{ token: string }>('/sandbox/tokens', person)).token;
}

/** Creates orders and pays each of them once; a pay is complete when its response has the paymentUrl, or DONE. */
async function payAll(stack: Stack, order: object, atOnce: number): Promise<LoadFigures> {
  const token = await tokenOf(stack, []);
  const payer = jsonClient(`${stack.addresses.orders}/transaction/v1`, token);
  const paths: string[] = [];
  for (let count = 0; count < ORDERS; count += 1) {
    const created = await payer.post<ApiResponse<{ orderId: string }>>('/user/order/create', { tenantId, ...order });
    paths.push(`/transaction/v1/user/order/${created.data.orderId}/pay`);
  }
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const requests = paths.map((path) => ({ path, headers, body: JSON.stringify({ tenantId }) }));
  return post({ url: stack.addresses.orders, requests, atOnce });
}

/**
 * Pays through update-with-start of payOrder: points only (reserved and committed before the response), and cash
 * (the charge created at the gateway before the response), sequentially and 20 at a time. The latency is the time
 * a payer waits.
 */
export async function payOrder() {
  const postgres = await launchMortalPostgres();
  const stack = await startStack({ services: ['sandbox', 'orders'], postgres: postgres.url });
  try {
    const staff = jsonClient(`${stack.addresses.orders}/transaction/v1/admin`, await tokenOf(stack, ['order_admin']));
    await staff.put(`/tenants/${tenantId}`, { name: 'Bench', businessType: 0, PAYGW_shopId: 'shop' });
    const grant = { tenantId, userId: 'payer', kind: 'tenant', amount: 1_000_000, key: 'bench' };
    await staff.post('/points/grant', grant);
    const points = { pointsPlan: { tenantPoints: 1 } };
    const cash = { grossMoneyAmount: 10, moneyAmount: 10 };
    await payAll(stack, points, 10);
    return {
      orders: ORDERS,
      pointsOneByOne: await payAll(stack, points, 1),
      points20AtOnce: await payAll(stack, points, 20),
      cashOneByOne: await payAll(stack, cash, 1),
      cash20AtOnce: await payAll(stack, cash, 20),
    };
  } finally {
    await stack.stop();
    await postgres.stop();
  }
}
