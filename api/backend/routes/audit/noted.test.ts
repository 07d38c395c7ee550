import { expect } from 'chai';
import { uuidv7 } from 'uuidv7';
import { OWN_REQUEST_ID_HEADER } from '#api/http/request-id.ts';
import { useBackend } from '#test/support/fixtures/services.ts';

describe('what is in the audit log besides changes', () => {
  const backend = useBackend({ toolApiEnabled: true });
  before(async () => {
    await backend.install('a');
    await backend.install('b');
  });

  const entriesOf = async (action: string) => await backend.db('audit_log').where({ action }).orderBy('audit_id');
  const signIn = (platformTenantId: string, more: object = {}) => ({
    auditId: uuidv7(),
    platformTenantId,
    actor: 'ada',
    action: 'session.sign_in',
    objectType: 'session',
    objectId: 'ada',
    after: null,
    requestId: 'r-1',
    callerRequestId: 'c-1',
    ...more,
  });

  it('is what the BFF notes, each entry once and of known tenants alone', async () => {
    const entry = signIn('a');
    const refused = { action: 'access.refuse', objectType: 'access', objectId: 'POST /x', after: { calls: 3 } };
    const entries = [entry, signIn('b', refused), signIn('nobody')];
    for (let attempt = 0; attempt < 2; attempt += 1)
      expect((await backend.service('POST', '/audit-entries', { entries })).status).to.equal(204);
    expect(await entriesOf('session.sign_in')).to.have.length(1);
    const token = await backend.token('a', 'tenant_admin', 'tina');
    const { items } = (await backend.call('GET', '/audit-log?objectType=session', { token })).body;
    expect(items).to.have.length(1);
    expect(items[0]).to.deep.include({
      auditId: entry.auditId,
      actor: 'ada',
      requestId: 'r-1',
      callerRequestId: 'c-1',
    });
    const [stored] = await entriesOf('access.refuse');
    expect(stored).to.deep.include({ tenantId: 'b', objectId: 'POST /x', after: { calls: 3 } });
  });

  it('is noted by services alone, and only what they may note', async () => {
    const token = await backend.token('a', 'tenant_admin');
    const body = { entries: [signIn('a')] };
    expect((await backend.call('POST', '/audit-entries', { token, body })).status).to.equal(401);
    const forged = { entries: [signIn('a', { action: 'campaign.send', objectType: 'campaign' })] };
    expect((await backend.service('POST', '/audit-entries', forged)).status).to.equal(400);
    expect(await entriesOf('campaign.send')).to.have.length(0);
  });

  it('is who got a token for the tools, and not the token', async () => {
    const asked = { platformTenantId: 'a', tools: ['list_tags'], actor: { type: 'service', name: 'crm' } };
    const { body } = await backend.service('POST', '/service-tokens', asked);
    const [entry] = await entriesOf('service_token.issue');
    expect(entry).to.deep.include({
      tenantId: 'a',
      actor: 'service:internal-api',
      objectId: body.tokenId,
      after: { tools: ['list_tags'], actor: 'service:crm', expiresAt: body.expiresAt },
    });
    expect(JSON.stringify(entry)).not.to.contain(body.token);
  });

  it('has our own id of a request, which no caller chooses, beside that of the caller', async () => {
    const token = await backend.token('a', 'tenant_admin', 'tina');
    const own = '0190a000-0000-4000-8000-000000000001';
    const tag = async (name: string, headers: Record<string, string>) => {
      const body = { name, serviceNumberId: 'sn-1', kind: 'permanent' };
      const response = await backend.call('POST', '/tags', { token, body, headers });
      expect(response.status).to.equal(201);
      const [entry] = await backend.db('audit_log').where({ object_id: response.body.tagId });
      const { requestId, callerRequestId } = entry;
      return { requestId, callerRequestId, shown: response.headers.get('x-request-id') };
    };
    const forwarded = await tag('one', { 'X-Request-Id': 'of-the-caller', [OWN_REQUEST_ID_HEADER]: own });
    expect(forwarded).to.deep.equal({ requestId: own, callerRequestId: 'of-the-caller', shown: 'of-the-caller' });
    const claimed = await tag('two', { 'X-Request-Id': own });
    expect(claimed).to.deep.include({ callerRequestId: own, shown: own });
    expect(claimed.requestId)
      .to.match(/^[0-9a-f-]{36}$/)
      .and.not.to.equal(own);
    const plain = await tag('three', {});
    expect(plain).to.deep.equal({ requestId: plain.shown, callerRequestId: null, shown: plain.shown });
  });
});
