import { expect } from 'chai';
import * as fc from 'fast-check';
import { backendOpenApi } from '#api/backend/app.ts';
import { bffOpenApi } from '#api/bff/openapi.ts';
import { backendOperations } from '#domain/api/index.ts';
import { toolNames } from '#domain/api/tools.ts';
import type { OpenApiDocument } from '#api/http/openapi.ts';
import { ordersOpenApi } from '#api/orders/openapi.ts';
import { idIn } from '../orders/support/good-requests.ts';
import { tokenFor } from '../orders/support/orders-service.ts';
import { useOrders } from '../support/fixtures/orders.ts';
import { useBackend, useBff } from '../support/fixtures/services.ts';
import {
  type HostileOperation,
  hostileOperations,
  type HostileRequest,
  hostileRequests,
} from '../support/http/hostile-requests.ts';
import { isWhole } from '../support/extent.ts';
import { heldMemory } from '../support/held-memory.ts';
import { makeSubjects } from '../support/outreach/subjects.ts';
import { INTERNAL_SECRET } from '../support/services/backend.ts';
import { installedAtBoth, passTokensOn } from '../support/services/bff-before-backend.ts';

/** Requests to each operation; `npm run test:all` sends 200. */
const REQUESTS = Number(process.env['ODD_REQUESTS'] ?? 6);

/** An event stream never ends. Without Temporal, these three must say 503: nobody could carry them out. */
const elsewhere = new Set(['streamProgress', 'streamNotices', 'registerSlots', 'install', 'uninstall']);
const ofPeople = new Set(Object.keys(backendOperations));

/** Requests to each operation that writes, in each round. */
const ROUND = Math.max(15, REQUESTS);
/** Bytes a request: more than measurements differ by, and less than a leak of 1 KiB. */
const LEAST_LEAK = 700;

interface Service {
  document: OpenApiDocument;
  origin: () => string;
  /** The bearer that gets furthest. */
  token: (operation: HostileOperation) => string;
  fill: (part: string, path: string) => string | undefined;
  isElsewhere?: (operation: HostileOperation) => boolean;
}

const operationsOf = ({ document, isElsewhere = () => false }: Service): HostileOperation[] =>
  hostileOperations(document).filter((operation) => !elsewhere.has(operation.name) && !isElsewhere(operation));

async function send(service: Service, operation: HostileOperation, request: HostileRequest): Promise<Response> {
  const { body, type, path } = request;
  return fetch(`${service.origin()}${path}`, {
    method: operation.method,
    redirect: 'manual',
    headers: {
      authorization: `Bearer ${service.token(operation)}`,
      'if-match': '*',
      ...(body === null ? {} : { 'content-type': type }),
    },
    body,
  });
}

const requestsTo = (service: Service, operation: HostileOperation) =>
  hostileRequests(service.document, operation, (part) => service.fill(part, operation.path));

/** Of all that was sent, what got a 5xx; the rest was refused or carried out. */
async function failuresOf(service: Service): Promise<{ failures: string[]; sent: number; refused: number }> {
  const failures: string[] = [];
  let [sent, refused] = [0, 0];
  for (const operation of operationsOf(service)) {
    await fc.assert(
      fc.asyncProperty(requestsTo(service, operation), async (request) => {
        const response = await send(service, operation, request);
        const text = await response.text();
        sent += 1;
        if (response.status >= 400) refused += 1;
        if (response.status >= 500)
          failures.push(
            `${operation.name} ${response.status} ${request.path.slice(0, 300)} ${request.body?.slice(0, 300)} ${text.slice(0, 200)}`,
          );
      }),
      { numRuns: REQUESTS },
    );
  }
  return { failures, sent, refused };
}

describe('hostile requests, made from the descriptions', function () {
  this.timeout(Math.max(240_000, REQUESTS * 30_000));
  const shop = useOrders({ points: { wallet: 100 } });
  const backend = useBackend({ toolApiEnabled: true });
  const bff = useBff(() => ({ backendUrl: backend.base, toolApiEnabled: true }));
  let ids: Record<string, string>;
  let token: string;
  let toolToken: string;
  let orderId: string;
  before(async () => {
    passTokensOn(bff, backend);
    const { platformTenantId: tenantId } = await installedAtBoth(bff, backend);
    token = await bff.identity.token({ tenantId, roles: ['tenant_admin'] });
    const actor = await backend.token(tenantId, 'tenant_admin');
    ids = await makeSubjects(async (path, body) => (await backend.call('POST', path, { token: actor, body })).body);
    const asked = { platformTenantId: tenantId, tools: toolNames, actor: { type: 'service', name: 'crm' } };
    toolToken = (await backend.service('POST', '/service-tokens', asked)).body.token;
    await shop.putGoods('g', 'shop', { stock: 5 });
    ({ orderId } = await shop.create('shop', { grossMoneyAmount: 100, moneyAmount: 100 }));
  });

  const frontend: Service = {
    document: bffOpenApi(),
    origin: () => bff.url,
    token: () => token,
    fill: (part) => ids[part],
  };
  const services: Service = {
    document: backendOpenApi(),
    origin: () => backend.base,
    token: ({ path }) => (path.startsWith('/tools/') ? toolToken : INTERNAL_SECRET),
    // The frontend API has them as well.
    isElsewhere: ({ name }) => ofPeople.has(name),
    fill: (part) => ids[part],
  };
  const orders: Service = {
    document: ordersOpenApi(),
    origin: () => new URL(shop.base).origin,
    token: () => tokenFor({ userId: 'u-1', tenantId: 'shop', roles: ['order_admin'] }),
    fill: (_, path) => idIn(path) ?? orderId,
  };

  for (const [what, service] of Object.entries({
    'of the frontend API': frontend,
    'of the backend': services,
    'of the order service': orders,
  }))
    it(`get no 5xx from any operation ${what}, and leave no prototype changed`, async () => {
      const before = Object.getOwnPropertyNames(Object.prototype);
      const { failures, sent, refused } = await failuresOf(service);
      expect(failures).to.deep.equal([]);
      expect(sent).to.be.at.least(REQUESTS * operationsOf(service).length);
      expect(refused, 'most are refused, and not all').to.be.within(sent / 4, sent - 1);
      expect(Object.getOwnPropertyNames(Object.prototype)).to.deep.equal(before);
    });

  it('get no 5xx for a time that PostgreSQL does not know, wherever a query takes one', async () => {
    const times = ['2543-03-18T07:54:47.239+20:28', '1426-03-21T10:26:13-18:09', '0001-01-01T00:00:00+14:00'];
    const failures: string[] = [];
    let asked = 0;
    for (const service of [frontend, services, orders])
      for (const operation of operationsOf(service)) {
        const taking = operation.parameters.filter((one) => JSON.stringify(one.schema ?? {}).includes('date-time'));
        const path = operation.path.replaceAll(
          /\{(\w+)\}/g,
          (_, part: string) => service.fill(part, operation.path) ?? '',
        );
        for (const { name } of taking)
          for (const time of times) {
            const request = { path: `${path}?${new URLSearchParams({ [name]: time })}`, type: '', body: null };
            const { status } = await send(service, operation, request);
            asked += 1;
            if (status !== 400) failures.push(`${operation.name} ${status} ${request.path}`);
          }
      }
    expect(failures).to.deep.equal([]);
    expect(asked).to.be.at.least(20);
  });

  if (!isWhole(import.meta.url)) return;

  /** The same requests in the same order, each time; `after` is called with each response. */
  async function round(afterEach: () => void): Promise<number> {
    let sent = 0;
    for (const service of [frontend, services, orders]) {
      const writing = operationsOf(service).filter(({ method }) => method !== 'GET');
      for (const operation of writing) {
        const requests = fc.sample(requestsTo(service, operation), { numRuns: ROUND, seed: 1 });
        // What is refused leaves no row; what is carried out is stored, and another matter.
        const garbage = requests.map((request) => ({ ...request, body: '{"x":'.padEnd(200, '[') }));
        await Promise.all(
          garbage.map(async (request) => {
            await (await send(service, operation, request)).arrayBuffer();
            afterEach();
          }),
        );
        sent += garbage.length;
      }
    }
    return sent;
  }

  /** The log of this BFF is kept by the test, not by the service. */
  async function heap(): Promise<number> {
    bff.forgetLog();
    return heldMemory();
  }

  async function growthOf(afterEach: () => void): Promise<{ bytes: number; sent: number }> {
    const before = await heap();
    const sent = await round(afterEach);
    return { bytes: (await heap()) - before, sent };
  }

  it('keeps nothing of what it has refused: the heap is as large after a second round of the same', async () => {
    // The first ones fill pools, caches and compiled code.
    for (let times = 0; times < 2; times += 1) await round(() => {});
    const { bytes, sent } = await growthOf(() => {});
    const leaked: Uint8Array[] = [];
    const leaking = await growthOf(() => leaked.push(new Uint8Array(1024)));
    const perRequest = Math.round(bytes / sent);
    const whereLeaking = Math.round(leaking.bytes / leaking.sent);
    expect(perRequest, `bytes kept of each of ${sent} requests`).to.be.below(LEAST_LEAK);
    expect(whereLeaking, 'a leak of 1 KiB a request is seen').to.be.above(LEAST_LEAK);
  });
});
