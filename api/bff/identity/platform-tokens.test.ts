import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { responseOf, installed, startTestBff } from '#test/support/services/bff.ts';
import { signIn as signInAs } from '#test/support/services/bff-sign-in.ts';
import { hashToken } from './signed-in.ts';
import { useBff } from '#test/support/fixtures/services.ts';
import { useHttpServer } from '#test/support/fixtures/doubles.ts';

describe('the platform token of a cookie session', () => {
  const orders = useHttpServer((request, response) => {
    seen.push(request.resume().headers.authorization?.replace('Bearer ', '') ?? '');
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"code":1000}');
  });
  const bff = useBff(() => ({ ordersUrl: orders.url }));
  let tenantId: string;
  /** Platform tokens that the order service received. */
  let seen: string[];
  before(async () => {
    tenantId = (await installed(bff)).platformTenantId;
  });
  beforeEach(() => {
    seen = [];
    bff.identity.refreshed.length = 0;
    bff.identity.refreshing({ claims: {} });
  });

  const now = () => Math.floor(Date.now() / 1000);
  /** A session whose ID token expires this many seconds from now; negative if it has expired. */
  const signIn = async (seconds: number): Promise<string> => {
    const { cookie } = await signInAs(bff, { tenantId, sub: 'ada', roles: ['tenant_admin'], exp: now() + seconds });
    expect(cookie).to.match(/^session=/);
    return cookie;
  };
  const list = async (cookie: string) =>
    responseOf(
      await fetch(`${bff.url}/api/v1/transaction/v1/user/order/list`, {
        method: 'POST',
        headers: { cookie, origin: bff.url },
        body: '{}',
      }),
    );
  const me = async (cookie: string) => responseOf(await fetch(`${bff.url}/api/v1/me`, { headers: { cookie } }));
  const rowOf = async (cookie: string) =>
    (await bff
      .rows('session')
      .where({ token_hash: hashToken(cookie.slice('session='.length)) })
      .first()) as Record<string, unknown>;
  /** Makes the platform token of this session expire. */
  const letExpire = (cookie: string) =>
    bff
      .rows('session')
      .where({ token_hash: hashToken(cookie.slice('session='.length)) })
      .update({ platform_token_expires_at: new Date(Date.now() - 1000) });

  it('is used unchanged while it is valid', async () => {
    const cookie = await signIn(3600);
    expect((await list(cookie)).status).to.equal(200);
    expect(bff.identity.refreshed).to.deep.equal([]);
  });

  it('S0-AU5: is renewed when it is about to expire, once for concurrent requests, and stays renewed', async () => {
    const cookie = await signIn(20);
    const first = (await rowOf(cookie))['refreshTokenEncrypted'];
    const responses = await Promise.all(Array.from({ length: 10 }, () => list(cookie)));
    expect(responses.map(({ status }) => status)).to.deep.equal(Array(10).fill(200));
    await list(cookie);
    expect(bff.identity.refreshed).to.have.length(1);
    const times = seen.map((token) => (decodeJwt(token).exp ?? 0) - now());
    expect(Math.min(...times)).to.be.greaterThan(3000);
    expect(new Set(seen).size).to.equal(1);
    expect((await rowOf(cookie))['refreshTokenEncrypted'])
      .to.match(/^v1\./)
      .and.not.equal(first);
  });

  it('is renewed after it expires, again and again, for as long as the session lives', async () => {
    const cookie = await signIn(3600);
    for (const times of [1, 2, 3]) {
      await letExpire(cookie);
      expect((await list(cookie)).status).to.equal(200);
      expect(bff.identity.refreshed).to.have.length(times);
    }
    expect(new Set(bff.identity.refreshed).size).to.equal(3);
  });

  it('is encrypted in the database, as is the refresh token, and neither is logged', async () => {
    const cookie = await signIn(3600);
    await letExpire(cookie);
    await list(cookie);
    const stored = JSON.stringify(await rowOf(cookie));
    for (const secret of [...seen, ...bff.identity.refreshed]) {
      expect(stored).to.not.include(secret);
      expect(bff.log()).to.not.include(secret);
    }
  });

  it('brings the person’s current roles with whatever is asked for first after it expires', async () => {
    const cookie = await signIn(3600);
    const write = async () =>
      (
        await fetch(`${bff.url}/api/v1/campaigns`, {
          method: 'POST',
          headers: { cookie, origin: bff.url },
          body: '{}',
        })
      ).status;
    expect(await write()).to.equal(200);
    bff.identity.refreshing({ claims: { roles: ['viewer'], name: 'Ada L' } });
    await letExpire(cookie);
    expect(await write()).to.equal(403);
    expect((await me(cookie)).body).to.deep.include({ roles: ['viewer'], name: 'Ada L' });
    bff.identity.refreshing({ claims: { roles: [] } });
    await letExpire(cookie);
    expect((await me(cookie)).status).to.equal(403);
    expect(bff.identity.refreshed).to.have.length(2);
  });

  it('is renewed once by processes that need it at once', async () => {
    const other = await startTestBff({ sharing: bff });
    const cookie = await signIn(3600);
    await letExpire(cookie);
    const asked = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        fetch(`${(index % 2 ? bff : other).url}/api/v1/me`, { headers: { cookie } }),
      ),
    );
    await other.close();
    expect(asked.map(({ status }) => status)).to.deep.equal(Array(8).fill(200));
    expect(bff.identity.refreshed).to.have.length(1);
  });

  it('of another person or tenant is rejected', async () => {
    for (const claims of [{ sub: 'eve' }, { tenantId: 'another' }]) {
      const cookie = await signIn(3600);
      await letExpire(cookie);
      bff.identity.refreshing({ claims });
      expect((await list(cookie)).status).to.equal(401);
      expect(await rowOf(cookie)).to.equal(undefined);
    }
    expect(seen).to.deep.equal([]);
  });

  it('that cannot be renewed ends the session', async () => {
    bff.identity.refreshing('not offered');
    const never = await signIn(3600);
    const ends = [(await rowOf(never))['expiresAt'], (await rowOf(never))['platformTokenExpiresAt']];
    expect(ends[0]).to.deep.equal(ends[1]);
    bff.identity.refreshing({ claims: {} });
    const revoked = await signIn(3600);
    bff.identity.refreshing({ status: 400, error: 'invalid_grant' });
    for (const cookie of [never, revoked]) {
      await letExpire(cookie);
      for (const _ of [1, 2]) {
        const result = await me(cookie);
        expect([result.status, result.body['code']]).to.deep.equal([401, 'unauthorized']);
      }
      expect((await list(cookie)).status).to.equal(401);
      expect(await rowOf(cookie)).to.equal(undefined);
    }
    expect(seen).to.deep.equal([]);
    bff.identity.refreshing({ claims: {} });
    // The browser comes back from the identity service with a session that is valid for both.
    expect((await list(await signIn(3600))).status).to.equal(200);
  });

  it('waits for the identity service: 503 while it is down, then as before', async () => {
    const cookie = await signIn(3600);
    await letExpire(cookie);
    bff.identity.refreshing({ status: 503, error: 'temporarily_unavailable' });
    expect((await list(cookie)).status).to.equal(503);
    expect((await me(cookie)).status).to.equal(503);
    bff.identity.refreshing({ claims: {} });
    expect((await list(cookie)).status).to.equal(200);
  });
});
