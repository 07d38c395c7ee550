import { expect } from 'chai';
import { ordersOpenApi } from '#api/orders/openapi.ts';
import { type OrderScope, orderScopes } from '#domain/keys/scopes.ts';
import { describedOperations } from '../support/http/described.ts';
import { useOrders } from '../support/fixtures/orders.ts';
import { goodBodies, goodQueries, idIn } from '../orders/support/good-requests.ts';
import { tableSums } from '../support/services/table-sums.ts';

const readOrders: OrderScope[] = ['orders:read', 'orders:write', 'orders:refund'];
const readCatalogue: OrderScope[] = ['catalogue:read', 'catalogue:write'];
const readPoints: OrderScope[] = ['points:read', 'points:write'];

/** Of which scopes one suffices, by operation; what is not here is for people. */
const allowed: Record<string, OrderScope[]> = {
  searchOrders: readOrders,
  exportOrders: readOrders,
  getStaffOrder: readOrders,
  getOrderStanding: readOrders,
  getAttention: readOrders,
  listRefunds: readOrders,
  listDisputes: readOrders,
  changeInvoice: ['orders:write'],
  noteOrder: ['orders:write'],
  noteDispute: ['orders:write'],
  refundOrder: ['orders:refund'],
  listGoods: readCatalogue,
  getGoods: readCatalogue,
  listStockChanges: readCatalogue,
  getCoupon: readCatalogue,
  listCoupons: readCatalogue,
  putGoods: ['catalogue:write'],
  changeStock: ['catalogue:write'],
  putCoupon: ['catalogue:write'],
  getPoints: readPoints,
  listPointAccounts: readPoints,
  listPointEntries: readPoints,
  grantPoints: ['points:write'],
  adjustPoints: ['points:write'],
  createOrder: ['payers:create'],
  getOrder: ['payers:create'],
  listOrders: ['payers:create'],
  payOrder: ['payers:create'],
  cancelOrder: ['payers:create'],
  getOwnPoints: ['payers:create'],
  listOwnCoupons: ['payers:create'],
};

const elsewhere = new Set(['gatewayCallback', 'healthz', 'livez', 'readyz', 'openapi']);
const operations = describedOperations(ordersOpenApi()).filter(
  ([, , { operationId = '' }]) => !elsewhere.has(operationId),
);

describe('API keys at the order service', function () {
  this.timeout(180_000);
  const shop = useOrders({ tenants: { shop: {}, member: { headquartersTenantId: 'shop' }, other: {} } });
  let orderId: string;
  before(async () => {
    await shop.putGoods('g', 'shop', { stock: 5 });
    ({ orderId } = await shop.create('shop', { grossMoneyAmount: 100, moneyAmount: 100 }));
  });

  async function ask([method, path, { operationId = '' }]: (typeof operations)[number], key: string) {
    const filled = path.replaceAll(/\{(\w+)\}/g, () => idIn(path) ?? orderId);
    const forPayer = path.includes('/user/') ? { userId: 'u-1' } : {};
    const response = await fetch(`${new URL(shop.base).origin}${filled}${goodQueries[operationId] ?? ''}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': 'k' },
      body: method === 'GET' ? null : JSON.stringify({ ...goodBodies(orderId)[operationId], ...forPayer }),
    });
    return { status: response.status, text: await response.text() };
  }
  const ofKeys = ({ security = [] }: { security?: Record<string, string[]>[] }) =>
    security.flatMap(({ apiKey }) => apiKey ?? []);
  const stateOf = () =>
    tableSums(shop.database, ['customer_order', 'goods', 'coupon', 'point_account', 'ledger_entry']);

  it('do with each scope what the table says, and nothing else', async () => {
    const wrong: string[] = [];
    let [refused, passed] = [0, 0];
    for (const scope of orderScopes) {
      const { text: key } = shop.makeKey('shop', [scope]);
      for (const operation of operations) {
        const [method, path, { operationId = '' }] = operation;
        const may = allowed[operationId]?.includes(scope) ?? false;
        const { status, text } = await ask(operation, key);
        if (may ? [401, 403, 500].includes(status) : !(status === 403 && text.includes('90003')))
          wrong.push(`${method} ${path} with ${scope}: ${status} ${text}`);
        if (may) passed += 1;
        else refused += 1;
      }
    }
    expect(wrong).to.deep.equal([]);
    expect(passed).to.be.above(45);
    expect(refused).to.be.above(250);
  });

  it('are named by the description with the scopes of each operation', () => {
    for (const [, path, operation] of operations) {
      const { operationId = '' } = operation;
      expect(ofKeys(operation as { security?: Record<string, string[]>[] }), path).to.deep.equal(
        allowed[operationId] ?? [],
      );
    }
    expect(ordersOpenApi().components?.securitySchemes?.['apiKey']).to.deep.equal({ type: 'http', scheme: 'bearer' });
  });

  it('show and change nothing of another tenant, nor of one whose headquarters is theirs', async () => {
    const before = await stateOf();
    const wrong: string[] = [];
    await shop.database('tenant').where({ tenant_id: 'shop' }).update({ headquarters_tenant_id: 'other' });
    for (const tenantId of ['other', 'member']) {
      const { text: key } = shop.makeKey(tenantId, [...orderScopes]);
      for (const operation of operations) {
        const { operationId = '' } = operation[2];
        const { status, text } = await ask(operation, key);
        if (status >= 500 || (status < 300 && text.includes(orderId)))
          wrong.push(`${operation[1]} by ${tenantId}: ${status} ${text}`);
        // What names an object of the shop, or the shop, is refused.
        if (allowed[operationId] && operation[1].includes('{id}') && status < 400)
          wrong.push(`${operation[1]} by ${tenantId}: ${status}`);
      }
    }
    await shop.database('tenant').where({ tenant_id: 'shop' }).update({ headquarters_tenant_id: null });
    expect(wrong).to.deep.equal([]);
    expect(await stateOf()).to.deep.equal(before);
  });
});
