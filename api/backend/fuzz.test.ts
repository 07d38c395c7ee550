import { expect } from 'chai';
import * as fc from 'fast-check';
import { backendOperations } from '#domain/api/index.ts';
import { isAnsweredOnce } from '#domain/api/idempotency.ts';
import { internalOperations } from '#domain/api/internal.ts';
import type { AnyOperation } from '#domain/api/operation.ts';
import { timesOf } from '#test/support/extent.ts';
import { insertContacts, INTERNAL_SECRET } from '#test/support/services/backend.ts';
import { oddRequests } from '#test/support/http/odd-requests.ts';
import { goodBodies, makeSubjects } from '#test/support/outreach/subjects.ts';
import { useBackend } from '#test/support/fixtures/services.ts';

/** The intake has its own tests, and so has the stream, which never ends. */
const elsewhere = new Set(['storeEvents', 'streamProgress', 'streamNotices']);

describe('any input from a caller', () => {
  const backend = useBackend({ toolApiEnabled: true });
  let ids: Record<string, string>;
  let token: string;
  before(async () => {
    await backend.install('a');
    await insertContacts(backend.db, 'a', 3);
  });

  beforeEach(async () => {
    // One lasts five minutes.
    token = await backend.token('a', 'tenant_admin');
    const made = await makeSubjects(async (path, body) => (await backend.call('POST', path, { token, body })).body);
    ids = { ...made, tenantIntegrationId: 'ti-fuzz' };
  });

  const request = (name: string, { path, query }: AnyOperation) =>
    oddRequests({
      path,
      queryNames: Object.keys(query?.shape ?? {}),
      ids,
      base: goodBodies(ids['tagId'] ?? '', ids['audienceId'] ?? '')[name],
    });

  for (const [name, operation] of Object.entries({ ...backendOperations, ...internalOperations } as Record<
    string,
    AnyOperation
  >)) {
    if (elsewhere.has(name)) continue;
    const always = ['invalid_request', 'forbidden', 'not_found', 'too_large', 'unsupported_media_type'];
    const once = isAnsweredOnce(operation) ? ['conflict', 'idempotency_key_reused'] : [];
    const codes = [...(operation.errors ?? []), ...always, ...once];
    it(`${name} responds as its OpenAPI document says, and never with 5xx`, async () => {
      await fc.assert(
        fc.asyncProperty(request(name, operation), async ({ path, query, body, raw, headers }) => {
          const search = new URLSearchParams(query).toString();
          const withBody = operation.method !== 'get';
          const response = await backend.call(
            operation.method.toUpperCase(),
            `${path}${search === '' ? '' : `?${search}`}`,
            {
              token: operation.access === 'service' ? INTERNAL_SECRET : token,
              headers,
              ...(operation.bodyType ? { contentType: operation.bodyType } : {}),
              ...(!withBody ? {} : raw !== null ? { raw } : { body }),
            },
          );
          expect(response.status, JSON.stringify(response.body)).to.be.lessThan(500);
          if (response.status < 400) expect(response.status).to.equal(operation.status);
          else expect(codes).to.include(response.body.code);
        }),
        { numRuns: timesOf(8, 100) },
      );
    });
  }
});
