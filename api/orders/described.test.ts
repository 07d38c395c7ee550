import { expect } from 'chai';
import * as fc from 'fast-check';
import { goodBodies, goodQueries, idIn } from '#test/orders/support/good-requests.ts';
import { tokenFor } from '#test/orders/support/orders-service.ts';
import {
  describedResponses,
  describedOperations,
  type RealResponse,
  realResponse,
} from '#test/support/http/described.ts';
import { oddRequests, staysItsOperation } from '#test/support/http/odd-requests.ts';
import { expectValidOpenApi } from '#test/support/http/valid-openapi.ts';
import { ordersOpenApi } from './openapi.ts';
import { useOrders } from '#test/support/fixtures/orders.ts';

const document = ordersOpenApi();
const expectDescribed = describedResponses(document);
const operations = describedOperations(document);
const PREFIX = '/transaction/v1';
/** Hostile requests to each operation; `npm run test:all` makes 200. */
const RUNS = Number(process.env['ODD_REQUESTS'] ?? 10);

describe('OpenAPI of the order service', () => {
  const shop = useOrders();
  before(() => shop.putGoods('g', 'shop', { stock: 5 }));
  const staff = tokenFor({ userId: 'u-1', tenantId: 'shop', roles: ['order_admin'] });
  const payer = tokenFor({ userId: 'u-2', tenantId: 'other' });

  const ask = async (
    method: string,
    path: string,
    { bearer = staff, body, raw }: { bearer?: string; body?: unknown; raw?: string | null } = {},
  ): Promise<RealResponse> => {
    const sent = method === 'GET' ? null : (raw ?? JSON.stringify(body ?? {}));
    const headers = {
      ...(bearer === '' ? {} : { authorization: `Bearer ${bearer}` }),
      ...(sent === null ? {} : { 'content-type': 'application/json' }),
    };
    return realResponse(await fetch(`${new URL(shop.base).origin}${path}`, { method, headers, body: sent }));
  };

  it('is valid OpenAPI 3.1', () => expectValidOpenApi(document));

  it('is complete: operations, the callback, and the service’s own endpoints', async () => {
    const paths = new Set(operations.map(([method, path]) => `${method} ${path}`));
    expect(paths).to.include(`POST ${PREFIX}/payment-gateway/callback`).and.include('GET /readyz');
    expect(operations).to.have.length(49 + 1 + 4);
    expect(Object.keys(document.webhooks ?? {})).to.deep.equal(['merchantEvent']);
    expect((await ask('GET', '/docs')).text).to.match(/"\/docs\/scalar-[\d.]+\.js"/);
  });

  for (const described of operations) {
    const [method, path, { operationId = '' }] = described;
    it(`${operationId}: the actual responses are the described ones`, async () => {
      const { orderId } = await shop.create('shop', { grossMoneyAmount: 100, moneyAmount: 100 });
      const ids = { id: idIn(path) ?? orderId };
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, part: string) => ids[part as 'id'] ?? part);
      const base = goodBodies(orderId)[operationId];
      const good = await ask(method, `${filled}${goodQueries[operationId] ?? ''}`, { body: base });
      expectDescribed(described, good);
      for (const bearer of ['', payer]) expectDescribed(described, await ask(method, filled, { bearer, body: base }));
      if (method !== 'GET') {
        expectDescribed(described, await ask(method, filled, { raw: 'x'.repeat(1_048_577) }));
        const other = await fetch(`${new URL(shop.base).origin}${filled}`, {
          method,
          headers: { authorization: `Bearer ${staff}`, 'content-type': 'text/plain' },
          body: '{}',
        });
        expectDescribed(described, await realResponse(other));
      }
      const queryNames = ['tenantId', 'userId', 'kind', 'actor', 'status', 'q', 'cursor', 'limit'];
      await fc.assert(
        fc.asyncProperty(oddRequests({ path, queryNames, ids, base }), async ({ path: odd, query, ...more }) => {
          fc.pre(staysItsOperation(odd));
          const response = await ask(method, `${odd}?${new URLSearchParams(query).toString()}`, more);
          expectDescribed(described, response);
          expect(response.status).to.be.lessThan(500);
        }),
        { numRuns: RUNS },
      );
    });
  }
});
