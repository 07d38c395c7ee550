import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { eventually } from '#test/support/time/eventually.ts';
import { bearerToken, createPlatformTokenVerifier, InvalidToken } from './platform-token.ts';

const AUDIENCE = 'outreach-console';
const now = () => Math.floor(Date.now() / 1000);

type Keys = Awaited<ReturnType<typeof generateKeyPair>>;

/** An issuer whose keys and availability the tests control. */
async function startIssuer() {
  let keys: object[] = [];
  let away = false;
  let moved = false;
  let keysAt = '/jwks';
  let issuer = '';
  const server: Server = createServer((request, response) => {
    if (away) return void response.writeHead(503).end();
    if (moved && request.url?.startsWith('/.well-known/'))
      return void response.writeHead(302, { location: `/moved${request.url}` }).end();
    if (request.url === '/nowhere') return void response.writeHead(404).end();
    const discovery = { issuer, jwks_uri: `${issuer}${keysAt}` };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(request.url === '/jwks' ? { keys } : discovery));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    publish: async (...pairs: [string, string, Keys][]) => {
      keys = await Promise.all(
        pairs.map(async ([kid, alg, pair]) => ({ ...(await exportJWK(pair.publicKey)), kid, alg })),
      );
    },
    setAway: (value: boolean) => {
      away = value;
    },
    setMoved: (value: boolean) => {
      moved = value;
    },
    setKeysAt: (path: string) => {
      keysAt = path;
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}

describe('platform tokens', () => {
  let issuer: Awaited<ReturnType<typeof startIssuer>>;
  let rsa: Keys;
  let elliptic: Keys;
  before(async () => {
    issuer = await startIssuer();
    [rsa, elliptic] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('ES256')]);
    await issuer.publish(['r', 'RS256', rsa], ['e', 'ES256', elliptic]);
  });
  after(() => issuer.stop());

  const claims = (more: JWTPayload = {}): JWTPayload => ({
    iss: issuer.issuer,
    aud: AUDIENCE,
    sub: 'u-1',
    exp: now() + 60,
    name: 'Ada',
    tenantId: 't-1',
    roles: ['viewer'],
    ...more,
  });
  const sign = (payload: JWTPayload, alg = 'RS256', kid = 'r', keys = rsa) =>
    new SignJWT(payload).setProtectedHeader({ alg, kid }).sign(keys.privateKey);
  const verifier = () => createPlatformTokenVerifier({ issuer: issuer.issuer, audience: AUDIENCE });

  async function refusal(token: string): Promise<unknown> {
    return verifier()(token).then(
      () => null,
      (error: unknown) => error,
    );
  }

  it('accepts RS256 and ES256 and reads the claims', async () => {
    const verify = verifier();
    expect(await verify(await sign(claims()))).to.deep.include({ userId: 'u-1', tenantId: 't-1', roles: ['viewer'] });
    expect(await verify(await sign(claims(), 'ES256', 'e', elliptic))).to.include({ userId: 'u-1' });
  });

  it('reads nothing that could not be stored: such tenants and roles are none, and a name is cut', async () => {
    const odd = {
      tenantId: 't\u0000',
      roles: ['viewer', 'a\u0000', 'r'.repeat(300), 7],
      name: `A\u0000${'x'.repeat(300)}`,
    };
    const read = await verifier()(await sign(claims(odd)));
    expect(read).to.deep.include({ tenantId: '', roles: ['viewer'], name: `A${'x'.repeat(199)}` });
  });

  it('rejects expired, early, foreign, unsigned and incomplete tokens', async () => {
    const foreign = await generateKeyPair('RS256');
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(claims())).toString('base64url')}.`;
    for (const token of [
      await sign(claims({ exp: now() - 1 })),
      await sign(claims({ nbf: now() + 60 })),
      await sign(claims({ iss: 'https://else.test' })),
      await sign(claims({ aud: 'else' })),
      await sign(claims({ sub: '' })),
      await sign(claims({ sub: 'a\u0000b' })),
      await sign(claims({ sub: 'x'.repeat(800) })),
      await sign(Object.fromEntries(Object.entries(claims()).filter(([name]) => name !== 'exp'))),
      await sign(Object.fromEntries(Object.entries(claims()).filter(([name]) => name !== 'sub'))),
      await sign(claims(), 'RS256', 'r', foreign),
      await sign(claims(), 'RS256', 'unknown', foreign),
      none,
      'rubbish',
    ])
      expect(await refusal(token), token.slice(0, 60)).to.be.instanceOf(InvalidToken);
  });

  it('accepts a key that replaced another under the same id, and no longer the replaced one', async () => {
    const verify = verifier();
    expect(await verify(await sign(claims()))).to.include({ userId: 'u-1' });
    const replacing = await generateKeyPair('RS256');
    await issuer.publish(['r', 'RS256', replacing], ['e', 'ES256', elliptic]);
    const token = await sign(claims(), 'RS256', 'r', replacing);
    await eventually('the new key is fetched', () => verify(token));
    expect(await verify(await sign(claims())).catch((error: unknown) => error)).to.be.instanceOf(InvalidToken);
    issuer.setAway(true);
    expect(await verify(await sign(claims())).catch((error: unknown) => error)).to.be.instanceOf(InvalidToken);
    issuer.setAway(false);
    await issuer.publish(['r', 'RS256', rsa], ['e', 'ES256', elliptic]);
  });

  it('starts while the issuer is down, reports that, and recovers', async () => {
    issuer.setAway(true);
    const verify = verifier();
    const failure = await verify(await sign(claims())).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(Error).and.not.instanceOf(InvalidToken);
    const rubbish = await verify('rubbish').catch((error: unknown) => error);
    expect(rubbish).to.be.instanceOf(InvalidToken);
    issuer.setAway(false);
    expect(await verify(await sign(claims()))).to.include({ userId: 'u-1' });
  });

  it('asks again where the keys are once they cannot be fetched from there', async () => {
    issuer.setKeysAt('/nowhere');
    const verify = verifier();
    const token = await sign(claims());
    const failure = await verify(token).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(Error).and.not.instanceOf(InvalidToken);
    issuer.setKeysAt('/jwks');
    await eventually('the keys are found', () => verify(token).catch(() => null));
  });

  it('takes keys from nowhere that the issuer redirects to', async () => {
    const token = await sign(claims());
    issuer.setMoved(true);
    const refused = await refusal(token);
    issuer.setMoved(false);
    expect(refused).to.be.an('error').and.not.to.be.instanceOf(InvalidToken);
    expect(await refusal(token)).to.equal(null);
  });

  it('reads the bearer header only in its exact form', () => {
    expect(bearerToken('Bearer a.b.c')).to.equal('a.b.c');
    for (const header of [undefined, '', 'Bearer', 'Basic abc', 'Bearer a b'])
      expect(bearerToken(header)).to.equal(null);
  });
});
