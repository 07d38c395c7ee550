import { expect } from 'chai';
import * as fc from 'fast-check';
import { z } from 'zod';
import { isAnsweredOnce } from '#domain/api/idempotency.ts';
import { frontendOperations } from '#domain/api/index.ts';
import type { AnyOperation } from '#domain/api/operation.ts';
import release from '#package.json' with { type: 'json' };
import { externalTenantOf, insertContacts } from '#test/support/services/backend.ts';
import {
  installBody,
  installed,
  newIntegration,
  signedCall,
  type TestIntegration,
} from '#test/support/services/bff.ts';
import {
  describedResponses,
  describedOperations,
  type RealResponse,
  realResponse,
} from '#test/support/http/described.ts';
import { oddRequests, staysItsOperation } from '#test/support/http/odd-requests.ts';
import { goodBodies, makeSubjects } from '#test/support/outreach/subjects.ts';
import { expectValidOpenApi } from '#test/support/http/valid-openapi.ts';
import { backendOpenApi } from '../backend/app.ts';
import { bffOpenApi } from './openapi.ts';
import { useBackend, useBff } from '#test/support/fixtures/services.ts';

const document = bffOpenApi();
const expectDescribed = describedResponses(document);
const operations = describedOperations(document);

/** Hostile requests to each operation; `npm run test:all` makes 200. */
const RUNS = Number(process.env['ODD_REQUESTS'] ?? 3);

/** Operations that never end, and those that only a started service has. */
const elsewhere = new Set(['streamProgress', 'streamNotices', 'metrics']);
const inbound = new Set(['install', 'update', 'rotateSecret', 'uninstall', 'webhook']);

describe('OpenAPI of the BFF', () => {
  const backend = useBackend({ toolApiEnabled: true });
  const bff = useBff(() => ({ backendUrl: backend.base, toolApiEnabled: true }));
  let integration: TestIntegration;
  let token: string;
  let outsider: string;
  let ids: Record<string, string> | undefined;
  before(async () => {
    integration = await installed(bff);
    const { platformTenantId: tenantId, tenantIntegrationId } = integration;
    await backend.install(tenantId, { tenantIntegrationId });
    await insertContacts(backend.db, tenantId, 3);
    const externalTenantId = await externalTenantOf(backend.db, tenantId);
    await bff.rows('tenant_mapping').update({ external_tenant_id: externalTenantId });
    // The recording backend passes these on to the real one, to which everything else is forwarded.
    bff.backend.behave(async ({ path, json }) => {
      const [own] = /\/(tokens$|idempotent-calls).*/.exec(path) ?? [];
      if (own === undefined) return null;
      const { status, body } = await backend.service('POST', own, json);
      return { status, body };
    });
    token = await bff.identity.token({ tenantId, roles: ['tenant_admin'] });
    outsider = await bff.identity.token({ tenantId, roles: ['order_admin'] });
  });
  async function ask(
    method: string,
    path: string,
    {
      body,
      raw,
      headers,
      bearer = token,
      type = 'application/json',
    }: {
      body?: unknown;
      raw?: string | null;
      headers?: Record<string, string>;
      bearer?: string;
      type?: string;
    } = {},
  ): Promise<RealResponse> {
    const sent = method === 'GET' ? null : (raw ?? (body === undefined ? null : JSON.stringify(body)));
    return realResponse(
      await fetch(`${bff.url}${path}`, {
        method,
        redirect: 'manual',
        headers: {
          ...(bearer === '' ? {} : { authorization: `Bearer ${bearer}` }),
          ...(sent === null ? {} : { 'content-type': type }),
          ...headers,
        },
        body: sent,
      }),
    );
  }

  const subjects = () =>
    makeSubjects(async (path, body) => JSON.parse((await ask('POST', `/api/v1${path}`, { body })).text));

  it('is valid OpenAPI 3.1, and so is the backend’s', () => {
    for (const described of [document, backendOpenApi()]) expectValidOpenApi(described);
  });

  it('names what programs have to know: scopes of keys, preconditions, entity tags and the release', () => {
    expect([document.info.version, backendOpenApi().info.version]).to.deep.equal([release.version, release.version]);
    const { apiKey } = document.components?.securitySchemes ?? {};
    expect(apiKey).to.include({ type: 'http', scheme: 'bearer' });
    const described = new Map(operations.map(([, , operation]) => [operation.operationId, operation]));
    const securityOf = (id: string) => described.get(id)?.security;
    const people = [{ bearer: [] }, { session: [] }];
    expect(securityOf('listTags')).to.deep.equal([...people, { apiKey: ['tags:read', 'tags:write'] }]);
    expect(securityOf('createTag')).to.deep.equal([...people, { apiKey: ['tags:write'] }]);
    expect(securityOf('createApiKey')).to.deep.equal(people);
    for (const [id, operation] of Object.entries<AnyOperation>(frontendOperations)) {
      const { parameters, responses = {} } = described.get(id) ?? {};
      const header = (name: string) => parameters?.some((one) => one.in === 'header' && one.name === name);
      const has = (status: number) => String(status) in responses;
      if (operation.headers && 'if-match' in operation.headers.shape)
        expect([header('if-match'), has(412)], id).to.deep.equal([true, true]);
      if (isAnsweredOnce(operation))
        expect([header('idempotency-key'), has(409), has(422)], id).to.deep.equal([true, true, true]);
      const hasTag = operation.response instanceof z.ZodObject && 'etag' in operation.response.shape;
      expect('ETag' in (responses[String(operation.status)]?.headers ?? {}), id).to.equal(hasTag);
    }
  });

  it('is complete: everything served is described, and vice versa', async () => {
    const paths = new Set(operations.map(([method, path]) => `${method} ${path}`));
    for (const path of ['/auth/login', '/auth/callback', '/me', '/campaigns'])
      expect(paths).to.include(`GET /api/v1${path}`);
    for (const path of ['/healthz', '/livez', '/readyz', '/openapi.json']) expect(paths).to.include(`GET ${path}`);
    expect(paths).to.include('POST /api/ai/copywriting').and.include('POST /webhook');
    const served = JSON.parse((await ask('GET', '/openapi.json')).text) as object;
    expect(served).to.deep.equal(JSON.parse(JSON.stringify(document)));
    const forwarded = describedOperations(backendOpenApi()).map(([, , { operationId }]) => operationId);
    expect(forwarded).to.include('createCampaign').and.include('query_metrics').and.include('manifest');
    expect((await ask('GET', '/docs')).text).to.match(/"\/docs\/scalar-[\d.]+\.js"/);
  });

  for (const [method, path, operation] of operations) {
    const { operationId = '' } = operation;
    if (elsewhere.has(operationId) || inbound.has(operationId)) continue;
    const described: (typeof operations)[number] = [method, path, operation];

    it(`${operationId}: the actual responses are the described ones`, async () => {
      // The next operation needs what the previous one deleted or sent.
      if (method !== 'GET' || ids === undefined) ids = await subjects();
      const made = ids;
      const type = path.endsWith('/contacts') && method === 'PUT' ? 'text/csv' : 'application/json';
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, part: string) => made[part] ?? part);
      const base = goodBodies(made['tagId'] ?? '', made['audienceId'] ?? '')[operationId];
      expectDescribed(described, await ask(method, filled, { bearer: '', body: base }));
      expectDescribed(described, await ask(method, filled, { bearer: outsider, body: base }));
      const good = await ask(method, filled, { body: base ?? {}, headers: { 'If-Match': '*' }, type });
      expectDescribed(described, good);
      // This BFF runs without Temporal.
      if (operationId !== 'registerSlots') expect(good.status).to.be.lessThan(500);
      await fc.assert(
        fc.asyncProperty(
          oddRequests({ path, queryNames: [], ids: made, base }),
          async ({ path: odd, body, raw, headers }) => {
            fc.pre(staysItsOperation(odd));
            expectDescribed(described, await ask(method, odd, { body, raw, headers, type }));
          },
        ),
        { numRuns: RUNS },
      );
    });
  }

  it('S0-IN1, S0-IN3: the inbound protocol responds as described: unsigned, malformed, done, repeated, gone', async () => {
    const found = (name: string) =>
      operations.find(([, , { operationId }]) => operationId === name) ?? expect.fail(name);
    const signed = async (
      name: string,
      path: string,
      body: unknown,
      options: Parameters<typeof signedCall>[4] = {},
    ) => {
      const { status, headers, body: json } = await signedCall(bff, path, integration, body, options);
      expectDescribed(found(name), { status, headers, text: JSON.stringify(json) });
      return status;
    };
    const { tenantIntegrationId } = integration;
    const event = { eventId: 'e', eventType: 'label.added', occurredAt: '2026-11-20T09:00:00Z', scope: {}, data: {} };
    const bodies: [string, string, object][] = [
      ['install', '/install', installBody(integration)],
      ['update', '/update', { tenantIntegrationId, tenant: { name: 'N' } }],
      ['rotateSecret', '/rotate-secret', { tenantIntegrationId, newSecret: 'n'.repeat(40) }],
      ['uninstall', '/uninstall', { tenantIntegrationId }],
      ['webhook', '/webhook', event],
    ];
    for (const [name, path, body] of bodies) {
      expect(await signed(name, path, body, { secret: 'x'.repeat(40) })).to.equal(401);
      expect(await signed(name, path, {})).to.equal(400);
      expect(await signed(name, path, {}, { raw: 'x'.repeat(1_048_577) })).to.equal(413);
    }
    const nonce = 'a'.repeat(32);
    expect(await signed('webhook', '/webhook', event, { nonce })).to.equal(200);
    expect(await signed('webhook', '/webhook', event, { nonce })).to.equal(409);
    expect(await signed('install', '/install', installBody(integration))).to.equal(200);
    expect(await signed('update', '/update', bodies[1]?.[2])).to.equal(200);
    // Without Temporal, a rotation cannot complete.
    expect(await signed('rotateSecret', '/rotate-secret', bodies[2]?.[2])).to.equal(503);
    await bff.rows('tenant_integration').update({ status: 'UNINSTALLED' });
    expect(await signed('uninstall', '/uninstall', bodies[3]?.[2])).to.equal(200);
    expect(await signed('update', '/update', bodies[1]?.[2])).to.equal(410);
    const stranger = newIntegration();
    expect(
      (await signedCall(bff, '/update', stranger, { tenantIntegrationId: stranger.tenantIntegrationId })).status,
    ).to.equal(401);
  });
});
