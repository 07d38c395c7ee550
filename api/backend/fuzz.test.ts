import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { backendOperations } from '../../domain/api/index.ts';
import { internalOperations } from '../../domain/api/internal.ts';
import type { AnyOperation } from '../../domain/api/operation.ts';
import {
  campaignBody,
  insertContacts,
  INTERNAL_SECRET,
  SERVICE_NUMBER,
  startBackend,
  type TestBackend,
} from '../../test/support/backend.ts';

/** The intake has its own tests, and so has the stream, which does not end. */
const elsewhere = new Set(['storeEvents', 'streamProgress']);

const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '\ud800',
    "'; drop table tag; --",
    '%',
    '\\',
    '1e400',
    'x'.repeat(3000),
    '..',
    '%2e%2e',
    '"',
  ),
);

const odd = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  oddText,
  fc.constantFrom(null, -1, 1e308, 2 ** 53, [], {}, [[]], true, '2026-13-45T00:00:00Z', '275760-09-13T00:00:00Z'),
  fc.array(oddText, { maxLength: 5 }),
);

/** Bodies near to what is wanted get further than noise does: a known good one with some places exchanged. */
function mutated(base: Record<string, unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(fc.dictionary(fc.constantFrom(...Object.keys(base), 'x', '__proto__'), odd, { maxKeys: 3 }))
    .map(([changes]) => ({ ...base, ...changes }));
}

const later = new Date(Date.now() + 86_400_000).toISOString();

function bases(tagId: string, audienceId: string): Record<string, Record<string, unknown>> {
  const campaign = campaignBody() as unknown as Record<string, unknown>;
  return {
    createCampaign: campaign,
    updateCampaign: { ...campaign, schedule: { type: 'scheduled', at: later } },
    previewAudience: {
      serviceNumberId: SERVICE_NUMBER,
      audience: { type: 'app_tags', appTagIds: [tagId], tagOperator: 'AND' },
    },
    createAudience: { name: 'A', serviceNumberId: SERVICE_NUMBER, type: 'contacts', contactIds: ['x'] },
    updateAudience: { name: 'B', contactIds: [audienceId] },
    createTag: { name: 'Fuzz', serviceNumberId: SERVICE_NUMBER, kind: 'temporary', expiresAt: later, color: '#112233' },
    updateTag: { name: 'Fuzz 2', expiresAt: later },
    createSmartTagRule: {
      name: 'Fuzz',
      triggerEvent: 'notice.clicked',
      matchCondition: { any: [{ field: 'bizEventCode', op: 'glob', value: '*' }, { not: { all: [] } }] },
      targetTagId: tagId,
      status: 'active',
    },
    updateSmartTagRule: { name: 'Fuzz 2', matchCondition: { all: [] }, targetTagId: tagId, status: 'paused' },
    backtestSmartTagRule: { from: new Date(Date.now() - 86_400_000).toISOString(), to: later },
    assignTag: { contactIds: ['c-0000001'] },
    unassignTag: { contactIds: ['c-0000001'] },
    sendCampaign: { expectedReachableCount: 1 },
    resolveSubTask: { outcome: 'sent', taskId: 'x' },
    issueToken: { platformTenantId: 'a', externalTenantId: 'x', userId: 'u', name: 'n', role: 'viewer' },
    putTenantIntegration: {
      platformTenantId: 'fuzz',
      tenantIntegrationSecret: 's'.repeat(32),
      webhookUrl: 'http://127.0.0.1/webhook',
      tenant: { name: 'n', type: 't' },
      serviceNumbers: [{ serviceNumberId: 'x', name: 'x' }],
    },
    patchTenantIntegration: { tenant: { name: 'n' } },
    rotateTenantIntegration: { newSecret: 's'.repeat(32), rotatedAt: later },
    uninstallTenantIntegration: { reason: 'r' },
  };
}

describe('whatever a caller sends', () => {
  let backend: TestBackend;
  let ids: Record<string, string>;
  let token: string;
  before(async () => {
    backend = await startBackend({ toolApiEnabled: true });
    await backend.install('a');
    await insertContacts(backend.db, 'a', 3);
    token = await backend.token('a', 'tenant_admin');
  });
  after(() => backend.close());

  // What one operation deletes or sends must be there for the next.
  beforeEach(async () => {
    const tag = await backend.call('POST', '/tags', {
      token,
      body: { name: randomUUID(), serviceNumberId: 'sn-1', kind: 'permanent' },
    });
    const audience = await backend.call('POST', '/audiences', {
      token,
      body: { name: 'A', serviceNumberId: 'sn-1', type: 'contacts', contactIds: [] },
    });
    const campaign = await backend.call('POST', '/campaigns', { token, body: campaignBody() });
    const rule = await backend.call('POST', '/smart-tag-rules', {
      token,
      body: bases(tag.body.tagId, '')['createSmartTagRule'],
    });
    ids = {
      tagId: tag.body.tagId,
      ruleId: rule.body.ruleId,
      audienceId: audience.body.audienceId,
      id: campaign.body.id,
      key: 'k',
      snId: 'sn-1',
      contactId: 'c-0000001',
      tenantIntegrationId: 'ti-fuzz',
    };
  });

  const request = (name: string, operation: AnyOperation) => {
    const base = bases(ids['tagId'] ?? '', ids['audienceId'] ?? '')[name];
    return fc.record({
      path: fc.oneof(
        {
          weight: 4,
          arbitrary: fc.constant(operation.path.replaceAll(/\{(\w+)\}/g, (_, part: string) => ids[part] ?? part)),
        },
        {
          weight: 1,
          arbitrary: oddText.map((text) =>
            operation.path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(text.toWellFormed())),
          ),
        },
      ),
      query: fc.dictionary(fc.constantFrom(...Object.keys(operation.query?.shape ?? {}), 'x'), oddText, { maxKeys: 3 }),
      body: fc.oneof(
        { weight: 3, arbitrary: base ? mutated(base) : fc.constant(undefined) },
        { weight: 1, arbitrary: odd },
      ),
      raw: fc.option(
        fc.constantFrom('{', '[1,', '"', 'NaN', '\u0000', '{"a":1}{"b":2}', `${'['.repeat(5000)}${']'.repeat(5000)}`),
        { nil: null, freq: 8 },
      ),
      headers: fc.record(
        {
          'If-Match': fc.constantFrom('*', '"1"', 'W/"1"', '1', ',', '"'),
          'Idempotency-Key': fc.constantFrom('k', 'x'.repeat(300), ' '),
        },
        { requiredKeys: [] },
      ),
    });
  };

  for (const [name, operation] of Object.entries({ ...backendOperations, ...internalOperations } as Record<
    string,
    AnyOperation
  >)) {
    if (elsewhere.has(name)) continue;
    const codes = [...(operation.problems ?? []), 'invalid_request', 'forbidden', 'not_found', 'too_large'];
    it(`${name} answers what its OpenAPI says, and never 5xx`, async () => {
      await fc.assert(
        fc.asyncProperty(request(name, operation), async ({ path, query, body, raw, headers }) => {
          const search = new URLSearchParams(query).toString();
          const withBody = operation.method !== 'get';
          const answer = await backend.call(
            operation.method.toUpperCase(),
            `${path}${search === '' ? '' : `?${search}`}`,
            {
              token: operation.access === 'service' ? INTERNAL_SECRET : token,
              headers,
              ...(operation.bodyType ? { contentType: operation.bodyType } : {}),
              ...(!withBody ? {} : raw !== null ? { raw } : { body }),
            },
          );
          expect(answer.status, JSON.stringify(answer.body)).to.be.lessThan(500);
          if (answer.status < 400) expect(answer.status).to.equal(operation.status);
          else expect(codes).to.include(answer.body.code);
        }),
        { numRuns: Number(process.env['FUZZ_RUNS'] ?? 25) },
      );
    }).timeout(60_000);
  }
});
