import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { createTokens } from '#api/backend/auth.ts';
import { createToolTokens } from '#api/backend/routes/tools/token.ts';
import { Problem } from '#domain/api/problem.ts';
import { useBackend, useBff } from '../support/fixtures/services.ts';
import { installed, newIntegration, signedCall } from '../support/services/bff.ts';

const drawn = (name: string): string => `${name}-${randomBytes(16).toString('hex')}`;
const [old, recent, strange] = [drawn('old'), drawn('new'), drawn('strange')];

describe('A shared secret while it changes', () => {
  const backend = useBackend({ internalSecrets: [recent, old] });
  const bff = useBff({ appSecrets: [recent, old] });

  it('lets the BFF call the backend with either, and nobody with another', async () => {
    const put = (tenantId: string, token: string) =>
      backend.call('PUT', `/tenant-integrations/ti-${tenantId}`, {
        token,
        body: {
          platformTenantId: tenantId,
          tenantIntegrationSecret: randomBytes(24).toString('hex'),
          webhookUrl: 'http://127.0.0.1:4000/webhook',
          tenant: { name: 'Tenant', type: 'shop' },
          serviceNumbers: [],
        },
      });
    expect((await put('recent', recent)).status).to.equal(200);
    expect((await put('old', old)).status).to.equal(200);
    for (const wrong of [strange, `${recent},${old}`, '']) expect((await put('strange', wrong)).status).to.equal(401);
    const stored = await backend.db('tenant_integration').select('tenant_id').orderBy('tenant_id');
    expect(stored.map((row: Record<string, unknown>) => row['tenantId'])).to.deep.equal(['old', 'recent']);
  });

  it('signs tokens with the first, and takes those that either signed', async () => {
    const now = () => new Date();
    const actor = { tenantId: 'a', userId: 'ada', role: 'viewer' } as const;
    const both = [recent, old] as const;
    const [before, after, other] = [[old] as const, [recent] as const, [strange] as const];
    const { token } = await createTokens(before, now).issue(actor);
    expect(await createTokens(both, now).verify(token)).to.deep.equal(actor);
    const issued = await createTokens(both, now).issue(actor);
    expect(await createTokens(after, now).verify(issued.token)).to.deep.equal(actor);
    for (const verifier of [before, other]) {
      const failure = await createTokens(verifier, now).verify(issued.token).catch(String);
      expect(failure).to.contain('not ours');
    }
    const later = () => new Date(Date.now() + 3_600_000);
    expect(
      await createTokens(both, later)
        .verify(token)
        .catch((error: Problem) => error.code),
    ).to.equal('unauthorized');
    const tools = await createToolTokens(before, now).issue({ tenantId: 'a', tokenId: 't', tools: ['list_tags'] }, 60);
    expect((await createToolTokens(both, now).read(tools.token)).grant).to.include({ tenantId: 'a' });
  });

  it('takes lifecycle calls that the platform signed with either application secret', async () => {
    const results: unknown[] = [];
    for (const appSecret of [recent, old, strange]) {
      const integration = await installed(bff, newIntegration());
      const body = { tenantIntegrationId: integration.tenantIntegrationId, serviceNumbers: [] };
      results.push((await signedCall(bff, '/update', integration, body, { appSecret })).status);
    }
    expect(results).to.deep.equal([200, 200, 401]);
  });
});
