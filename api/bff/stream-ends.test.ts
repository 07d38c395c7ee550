import { expect } from 'chai';
import { isOver, startStreamingBackend, type StreamingBackend } from '#test/support/doubles/streaming-backend.ts';
import { useBff } from '#test/support/fixtures/services.ts';
import { installed, signedCall, startTestBff, type TestBff } from '#test/support/services/bff.ts';
import { signIn } from '#test/support/services/bff-sign-in.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { hashToken } from './identity/signed-in.ts';

describe('event streams in another process than the one where their session ends', () => {
  const bff = useBff();
  let backend: StreamingBackend;
  let streaming: TestBff;
  let tenantId: string;
  let looks: string[];
  const look = ({ sql, bindings }: { sql: string; bindings?: unknown[] }) => {
    const [key] = bindings ?? [];
    if (sql.startsWith('select') && sql.includes('"session"') && Buffer.isBuffer(key)) looks.push(key.toString('hex'));
  };

  before(async () => {
    ({ platformTenantId: tenantId } = await installed(bff));
    backend = await startStreamingBackend();
    streaming = await startTestBff({ sharing: bff, backendUrl: backend.url });
    bff.database.connection.on('query', look);
  });
  after(async () => {
    bff.database.connection.off('query', look);
    await streaming.close();
    await backend.stop();
  });

  const tokenOf = (sub: string, of = tenantId) => bff.identity.token({ tenantId: of, sub });
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const hexOf = (credential: string) => hashToken(credential).toString('hex');

  /** A stream that was checked after it was opened and now waits for five minutes. */
  async function open(credential: string, headers: Record<string, string>): Promise<Response> {
    await fetch(`${streaming.url}/api/v1/campaigns`, { headers });
    looks = [];
    const response = await fetch(`${streaming.url}/api/v1/campaigns/c-1/stream`, { headers });
    const own = () => looks.filter((hash) => hash === hexOf(credential)).length;
    await eventually('it was checked', () => own() === 2);
    return response;
  }

  /** Follows something; @returns what is true once that is over, and what somebody else follows is not. */
  async function following(credential: string, headers: Record<string, string>) {
    const stays = await tokenOf('stays');
    const others = await open(stays, bearer(stays));
    const own = await open(credential, headers);
    return async () => {
      expect(await isOver(own)).to.equal(true);
      await eventually('the other goes on', () => backend.open.size === 1);
      await others.body?.cancel();
      await eventually('all streams are closed', () => backend.open.size === 0);
    };
  }

  async function browser(sub: string) {
    const { cookie } = await signIn(streaming, { tenantId, sub });
    const credential = cookie.slice('session='.length);
    return { cookie, tokenHash: hashToken(credential), isOnlyOver: await following(credential, { cookie }) };
  }

  it('end with sign-out', async () => {
    const { cookie, isOnlyOver } = await browser('signs-out');
    const headers = { cookie, origin: bff.url };
    expect((await fetch(`${bff.url}/api/v1/auth/logout`, { method: 'POST', headers })).status).to.equal(204);
    await isOnlyOver();
  });

  it('end when the API key that follows them is revoked', async () => {
    const token = await bff.identity.token({ tenantId, sub: 'ada', roles: ['tenant_admin'] });
    const headers = { ...bearer(token), 'content-type': 'application/json' };
    const body = JSON.stringify({ name: 'Follows', scopes: ['campaigns:read'] });
    const made = await fetch(`${bff.url}/api/v1/api-keys`, { method: 'POST', headers, body });
    const { key, id } = (await made.json()) as { key: string; id: string };
    const others = await open(token, bearer(token));
    const own = await fetch(`${streaming.url}/api/v1/campaigns/c-1/stream`, { headers: bearer(key) });
    expect(own.status).to.equal(200);
    const gone = await fetch(`${bff.url}/api/v1/api-keys/${id}`, { method: 'DELETE', headers: bearer(token) });
    expect(gone.status).to.equal(204);
    expect(await isOver(own)).to.equal(true);
    await eventually('the other goes on', () => backend.open.size === 1);
    await others.body?.cancel();
    await eventually('all streams are closed', () => backend.open.size === 0);
  });

  it('end when somebody ends their session', async () => {
    const { cookie, isOnlyOver } = await browser('ended');
    const listed = await fetch(`${bff.url}/api/v1/sessions`, { headers: { cookie } });
    const { items } = (await listed.json()) as { items: { id: string }[] };
    const headers = bearer(await tokenOf('ended'));
    const ended = await fetch(`${bff.url}/api/v1/sessions/${items[0]?.id}`, { method: 'DELETE', headers });
    expect(ended.status).to.equal(204);
    await isOnlyOver();
  });

  it('end with what the identity service ends', async () => {
    const token = await tokenOf('signed-out');
    const isOnlyOver = await following(token, bearer(token));
    const body = new URLSearchParams({ logout_token: await bff.identity.logoutToken({ sub: 'signed-out' }) });
    const told = await fetch(`${bff.url}/api/v1/auth/backchannel-logout`, { method: 'POST', body });
    expect(told.status).to.equal(200);
    await isOnlyOver();
  });

  it('end when an uninstall begins', async () => {
    const integration = await installed(bff);
    const token = await tokenOf('uninstalled', integration.platformTenantId);
    const isOnlyOver = await following(token, bearer(token));
    const { tenantIntegrationId } = integration;
    // Its workflow cannot be started without Temporal, which takes back nothing.
    const call = await signedCall(bff, '/uninstall', integration, { tenantIntegrationId, reason: 'not needed' });
    expect(call.status).to.equal(503);
    await isOnlyOver();
  });

  it('end when it is heard of again, if nobody listened meanwhile', async () => {
    const { tokenHash, isOnlyOver } = await browser('unheard');
    // Whoever listens is gone when the session's end is committed.
    await bff.rows.transaction(async (transaction) => {
      const { rows: gone } = (await transaction.raw(
        `select pg_terminate_backend(pid, 5000) from pg_stat_activity
          where application_name = 'test-bff-ends' and datname = current_database()`,
      )) as { rows: unknown[] };
      expect(gone).to.have.length(2);
      await transaction('session').where({ token_hash: tokenHash }).update({ ended_at: new Date() });
    });
    await isOnlyOver();
    expect(streaming.log()).to.include('ends of sessions are not heard of for a while');
  });
});
