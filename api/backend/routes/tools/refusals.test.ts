import { expect } from 'chai';
import { toolNames } from '#domain/api/tools.ts';
import { useBackend } from '#test/support/fixtures/services.ts';
import { createToolTokens } from './token.ts';

describe('what the Tool API refuses', () => {
  const backend = useBackend({ toolApiEnabled: true });

  const grant = (platformTenantId: string, more: object) =>
    backend.service('POST', '/service-tokens', { platformTenantId, tools: toolNames, ...more });
  const tool = (name: string, body: unknown, token: string) =>
    fetch(`${backend.base}/tools/v1/${name}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(token === '' ? {} : { Authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });

  it('is in the audit log for authentic tokens, and for no others', async () => {
    await backend.install('audited');
    await backend.token('audited', 'marketing_operator', 'mia');
    const crm = { actor: { type: 'service', name: 'crm' } };
    const narrow = (await grant('audited', { ...crm, tools: ['list_tags'] })).body;
    const revoked = (await grant('audited', crm)).body;
    const brief = (await grant('audited', { ...crm, ttlSeconds: 60 })).body;
    const mias = (await grant('audited', { actor: { type: 'user', userId: 'mia' } })).body;
    const refused = () =>
      backend.db('audit_log').where({ tenant_id: 'audited', action: 'access.refuse' }).orderBy('audit_id');
    const forged = createToolTokens(['another secret of the services'], () => new Date());
    const { token: foreignSecret } = await forged.issue({ tenantId: 'audited', tokenId: 'x', tools: [] }, 60);
    for (const token of ['', 'e30.e30.x', foreignSecret, `${narrow.token.slice(0, -2)}xx`])
      expect((await tool('list_tags', {}, token)).status).to.equal(401);

    await backend.service('POST', `/service-tokens/${revoked.tokenId}:revoke`, { platformTenantId: 'audited' });
    await backend.token('audited', 'viewer', 'mia');
    for (let call = 0; call < 5; call += 1) {
      expect((await tool('draft_campaign', {}, narrow.token)).status).to.equal(403);
      expect((await tool('list_tags', {}, revoked.token)).status).to.equal(401);
      expect((await tool('dispatch_campaign', {}, mias.token)).status).to.equal(403);
    }
    backend.setNow(new Date(Date.now() + 62_000));
    expect((await tool('list_tags', {}, brief.token)).status).to.equal(401);
    backend.setNow(null);
    await backend.refusals.close();
    const entry = (why: string, { tokenId }: { tokenId: string }, calls = 1) => ({ calls, tokenId, why });
    const entries = (await refused()).map(({ actor, objectType, objectId, after }) => [
      `${actor} ${objectType} ${objectId}`,
      after,
    ]);
    expect(entries).to.deep.equal([
      ['service:crm access POST /tools/v1/draft_campaign', entry('tool', narrow)],
      ['service:crm access POST /tools/v1/list_tags', entry('revoked', revoked)],
      ['mia access POST /tools/v1/dispatch_campaign', entry('role', mias)],
      ['service:crm access POST /tools/v1/list_tags', entry('expired', brief)],
      ['service:crm access POST /tools/v1/draft_campaign', entry('tool', narrow, 4)],
      ['service:crm access POST /tools/v1/list_tags', entry('revoked', revoked, 4)],
      ['mia access POST /tools/v1/dispatch_campaign', entry('role', mias, 4)],
    ]);
  });
});
