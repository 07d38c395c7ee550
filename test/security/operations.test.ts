import { expect } from 'chai';
import { mayAccess } from '#domain/access.ts';
import { aiOperations } from '#domain/api/ai.ts';
import { frontendOperations } from '#domain/api/index.ts';
import type { AnyOperation } from '#domain/api/operation.ts';
import { type KeyScope, keyScopes, scopesFor } from '#domain/keys/scopes.ts';
import { roles } from '#domain/api/session.ts';
import { call } from '../support/http/call.ts';
import { useBackend, useBff } from '../support/fixtures/services.ts';
import { goodBodies, makeSubjects } from '../support/outreach/subjects.ts';
import { installedAtBoth, passTokensOn } from '../support/services/bff-before-backend.ts';
import type { TestIntegration } from '../support/services/bff.ts';
import { tableSums } from '../support/services/table-sums.ts';

const operations = Object.entries({
  ...(frontendOperations as Record<string, AnyOperation>),
  ...(aiOperations as Record<string, AnyOperation>),
}).filter(([, { access }]) => access !== 'public');
const prefixOf = (name: string) => (name in aiOperations ? '/api' : '/api/v1');

/** What a caller must not be able to change. */
const tables = ['campaign', 'tag', 'tag_assignment', 'smart_tag_rule', 'audience', 'contact_profile', 'tenant'];

describe('every operation of the frontend API', function () {
  this.timeout(240_000);
  const backend = useBackend({ toolApiEnabled: true });
  const bff = useBff(() => ({ backendUrl: backend.base, toolApiEnabled: true }));
  let own: TestIntegration;
  let other: TestIntegration;
  let ids: Record<string, string>;
  before(async () => {
    passTokensOn(bff, backend);
    [own, other] = [await installedAtBoth(bff, backend), await installedAtBoth(bff, backend)];
    const token = await tokenOf(own, ['tenant_admin']);
    ids = await makeSubjects(
      async (path, body) =>
        (await call<Record<string, string>>('POST', `${bff.url}/api/v1${path}`, { token, body })).body,
    );
    expect(ids['id'], 'a campaign was made').to.be.a('string');
  });

  const tokenOf = ({ platformTenantId: tenantId }: TestIntegration, given: string[]) =>
    bff.identity.token({ tenantId, roles: given });

  const keyOf = async (tenant: TestIntegration, scopes: readonly KeyScope[]): Promise<string> => {
    const token = await tokenOf(tenant, ['tenant_admin', 'order_admin']);
    const made = await call<{ key: string }>('POST', `${bff.url}/api/v1/api-keys`, {
      token,
      body: { name: 'k', scopes },
    });
    expect(made.status).to.equal(201);
    return made.body.key;
  };

  const stateOf = () => tableSums(backend.db, tables);

  /** The status, for the ids of `own`, whoever asks. */
  async function ask(name: string, operation: AnyOperation, token: string): Promise<number> {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, part: string) => ids[part] ?? part);
    const body = goodBodies(ids['tagId'] ?? '', ids['audienceId'] ?? '')[name] ?? {};
    const response = await call(operation.method.toUpperCase(), `${bff.url}${prefixOf(name)}${path}`, {
      ...(token === '' ? {} : { token }),
      headers: { 'If-Match': '*' },
      ...(operation.method === 'get' || operation.bodyType ? {} : { body }),
    });
    return response.status;
  }

  it('responds 401 to nobody, to forged and expired tokens and to those of and for others, and changes nothing', async () => {
    const before = await stateOf();
    const good = await tokenOf(own, ['tenant_admin']);
    const [header = '', payload = '', signature = ''] = good.split('.');
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
    const resigned = `${header}.${payload}.${[...signature].toReversed().join('')}`;
    const claims = { tenantId: own.platformTenantId, roles: ['tenant_admin'] };
    const bad: Record<string, string> = {
      none: '',
      garbage: 'x',
      unsigned,
      resigned,
      foreign: await bff.identity.token(claims, { key: 'foreign' }),
      issuer: await bff.identity.token({ ...claims, iss: 'https://other.example' }),
      audience: await bff.identity.token({ ...claims, aud: 'other' }),
      expired: await bff.identity.token({ ...claims, exp: Math.floor(Date.now() / 1000) - 60 }),
    };
    const wrong: string[] = [];
    for (const [name, operation] of operations)
      for (const [kind, token] of Object.entries(bad)) {
        const status = await ask(name, operation, token);
        if (status !== 401) wrong.push(`${name}, ${kind}: ${status}`);
      }
    expect(wrong).to.deep.equal([]);
    expect(await stateOf()).to.deep.equal(before);
  });

  it('responds 403 to each role that may not use it, and to those without a role', async () => {
    const before = await stateOf();
    const wrong: string[] = [];
    let tried = 0;
    for (const role of [...roles, 'root']) {
      const token = await tokenOf(own, [role]);
      for (const [name, operation] of operations) {
        const known = roles.find((one) => one === role);
        const may =
          operation.access === 'member' ||
          (known !== undefined && known !== 'order_admin' && mayAccess(known, operation.access));
        if (may) continue;
        tried += 1;
        const status = await ask(name, operation, token);
        if (status !== 403) wrong.push(`${name} by ${role}: ${status}`);
      }
    }
    expect(wrong).to.deep.equal([]);
    expect(tried).to.be.above(150);
    expect(await stateOf()).to.deep.equal(before);
  });

  it('responds 403 to an API key without the scope, and to every key where only people may be', async () => {
    const before = await stateOf();
    const wrong: string[] = [];
    let [refused, allowed] = [0, 0];
    for (const scopes of [[...keyScopes], ...keyScopes.map((scope) => [scope])]) {
      const key = await keyOf(own, scopes);
      for (const [name, operation] of operations) {
        const may = scopesFor(operation).some((scope) => scopes.includes(scope));
        if (may) {
          // What a key may write, its tests write; here nothing may change.
          if (scopes.length > 1 && operation.method === 'get' && !operation.responseType?.startsWith('text/event')) {
            allowed += 1;
            const status = await ask(name, operation, key);
            if (status === 401 || status === 403) wrong.push(`${name} by a key with all scopes: ${status}`);
          }
          continue;
        }
        refused += 1;
        const status = await ask(name, operation, key);
        if (status !== 403) wrong.push(`${name} by a key with ${scopes.join()}: ${status}`);
      }
    }
    expect(wrong).to.deep.equal([]);
    expect(refused).to.be.above(800);
    expect(allowed).to.be.above(40);
    expect(await stateOf()).to.deep.equal(before);
  });

  it('knows nothing of another tenant’s ids, whatever the role', async () => {
    const before = await stateOf();
    const wrong: string[] = [];
    let tried = 0;
    const tokens = await Promise.all(roles.map(async (role) => [role, await tokenOf(other, [role])] as const));
    for (const [role, token] of [...tokens, ['key', await keyOf(other, [...keyScopes])] as const]) {
      for (const [name, operation] of operations) {
        // Every tenant may use these ids of the platform's for what is its own.
        const named = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, part = '']) => part);
        if (!named.some((part) => ['id', 'tagId', 'ruleId', 'audienceId'].includes(part))) continue;
        tried += 1;
        const status = await ask(name, operation, token);
        if (status !== 403 && status !== 404) wrong.push(`${name} by ${role}: ${status}`);
      }
    }
    expect(wrong).to.deep.equal([]);
    expect(tried).to.be.above(100);
    expect(await stateOf()).to.deep.equal(before);
  });
});
