import { expect } from 'chai';
import { ordersOpenApi } from '#api/orders/openapi.ts';
import { describedOperations } from '../support/http/described.ts';
import { useOrders } from '../support/fixtures/orders.ts';
import { goodBodies, goodQueries, idIn } from '../orders/support/good-requests.ts';
import { tokenFor } from '../orders/support/orders-service.ts';
import { tableSums } from '../support/services/table-sums.ts';

/** The gateway signs its callback, and everybody may ask how the service is. */
const elsewhere = new Set(['gatewayCallback', 'healthz', 'livez', 'readyz', 'openapi']);
const operations = describedOperations(ordersOpenApi()).filter(
  ([, , { operationId = '' }]) => !elsewhere.has(operationId),
);
const isStaffs = (path: string) => path.includes('/admin/');

/** What a caller must not be able to change. */
const tables = [
  'customer_order',
  'tenant',
  'goods',
  'coupon',
  'point_account',
  'ledger_entry',
  'refund',
  'dispute',
  'dispute_note',
  'order_note',
  'order_invoice',
  'webhook',
  'stock_change',
];

describe('every operation of the order service', function () {
  this.timeout(120_000);
  const shop = useOrders({ points: { wallet: 100 } });
  let orderId: string;
  before(async () => {
    await shop.putGoods('g', 'shop', { stock: 5 });
    ({ orderId } = await shop.create('shop', { grossMoneyAmount: 100, moneyAmount: 100 }));
  });

  async function ask(
    [method, path, { operationId = '' }]: (typeof operations)[number],
    token: string,
  ): Promise<{ status: number; text: string }> {
    const filled = path.replaceAll(/\{(\w+)\}/g, () => idIn(path) ?? orderId);
    const response = await fetch(`${new URL(shop.base).origin}${filled}${goodQueries[operationId] ?? ''}`, {
      method,
      headers: { ...(token === '' ? {} : { authorization: `Bearer ${token}` }), 'content-type': 'application/json' },
      body: method === 'GET' ? null : JSON.stringify(goodBodies(orderId)[operationId] ?? {}),
    });
    return { status: response.status, text: await response.text() };
  }

  const stateOf = async () => [
    ...(await tableSums(shop.database, tables)),
    // That something was refused may be there.
    await shop.database('audit_entry').whereNot({ action: 'access.refuse' }).orderBy('entry_id'),
  ];

  async function expectRefused(who: string, token: string, which: typeof operations, status: number): Promise<void> {
    const before = await stateOf();
    const wrong: string[] = [];
    for (const operation of which) {
      const response = await ask(operation, token);
      if (response.status !== status) wrong.push(`${operation[0]} ${operation[1]} by ${who}: ${response.status}`);
    }
    expect(wrong).to.deep.equal([]);
    expect(await stateOf()).to.deep.equal(before);
  }

  it('is refused to nobody’s and to forged sessions', async () => {
    expect(operations.length).to.be.above(35);
    await expectRefused('nobody', '', operations, 401);
    await expectRefused('a forger', 'e30.e30.x', operations, 401);
  });

  it('is refused to payers where it is the staff’s, whatever other role they have', async () => {
    const staffs = operations.filter(([, path]) => isStaffs(path));
    expect(staffs.length).to.be.above(20);
    for (const role of ['viewer', 'marketing_operator', 'root']) {
      const token = tokenFor({ userId: 'u-1', tenantId: 'shop', roles: [role] });
      await expectRefused(role, token, staffs, 403);
    }
  });

  it('shows and changes nothing of a shop for the staff and the payers of another', async () => {
    const before = await stateOf();
    const wrong: string[] = [];
    for (const roles of [['order_admin'], ['tenant_admin'], []]) {
      const token = tokenFor({ userId: 'u-9', tenantId: 'other', roles });
      for (const operation of operations) {
        const { status, text } = await ask(operation, token);
        const where = `${operation[0]} ${operation[1]} by ${roles.join() || 'a payer'}: ${status}`;
        if (status >= 500) wrong.push(where);
        if (status < 300 && (text.includes(orderId) || text.includes('"shop"'))) wrong.push(`${where} ${text}`);
      }
    }
    expect(wrong).to.deep.equal([]);
    expect(await stateOf()).to.deep.equal(before);
  });

  it('shows and changes nothing of another payer of the same shop', async () => {
    const before = await stateOf();
    const token = tokenFor({ userId: 'u-2', tenantId: 'shop' });
    const wrong: string[] = [];
    const ofOrders = operations.filter(([, , { operationId = '' }]) =>
      ['getOrder', 'payOrder', 'cancelOrder', 'listOrders', 'getOwnPoints', 'listOwnCoupons'].includes(operationId),
    );
    expect(ofOrders).to.have.length(6);
    for (const operation of ofOrders) {
      const { status, text } = await ask(operation, token);
      if (status >= 500 || (status < 300 && text.includes(orderId))) wrong.push(`${operation[1]}: ${status} ${text}`);
    }
    expect(wrong).to.deep.equal([]);
    expect(await stateOf()).to.deep.equal(before);
  });
});
