import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { useBff } from '#test/support/fixtures/services.ts';
import { signIn } from '#test/support/services/bff-sign-in.ts';
import { createPayloadCodec, payloadToJson } from '#api/runtime/payload-codec.ts';

const uiUrl = 'https://temporal.corp.example/namespaces';
const { origin } = new URL(uiUrl);
const role = 'temporal_reader';

describe('The codec for Temporal UI', () => {
  const codec = createPayloadCodec([{ id: 'p1', key: randomBytes(32).toString('base64') }]);
  const bff = useBff({ codec: { codec, role, uiUrl } });
  const without = useBff();

  const post = async (path: string, headers: Record<string, string>, body: unknown) =>
    await fetch(`${bff.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const sealed = async () => ({
    payloads: (
      await codec.encode([{ metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('"c-1"') }])
    ).map(payloadToJson),
  });

  it('takes the session of somebody with the role, from the UI’s pages alone', async () => {
    const { cookie } = await signIn(bff, { roles: [role] });
    const decoded = await post('/codec/decode', { cookie, origin }, await sealed());
    expect(await decoded.json()).to.deep.equal({
      payloads: [
        {
          metadata: { encoding: Buffer.from('json/plain').toString('base64') },
          data: Buffer.from('"c-1"').toString('base64'),
        },
      ],
    });
    expect(decoded.headers.get('access-control-allow-credentials')).to.equal('true');
    expect(bff.log()).to.contain('payloads of workflows').and.not.contain('c-1');
    for (const other of ['https://evil.example', 'null', 'https://corp.example']) {
      const rejected = await post('/codec/decode', { cookie, origin: other }, await sealed());
      expect([rejected.status, rejected.headers.get('access-control-allow-origin')], other).to.deep.equal([403, null]);
    }
    // The UI's pages may do nothing else with the session.
    expect((await post('/api/v1/auth/logout', { cookie, origin }, {})).status).to.equal(403);
  });

  it('seals with the first key what somebody with the role enters', async () => {
    const { cookie } = await signIn(bff, { roles: [role] });
    const response = await post('/codec/encode', { cookie, origin }, { payloads: [{ metadata: {}, data: 'Imki' }] });
    const { payloads } = (await response.json()) as { payloads: { metadata: Record<string, string> }[] };
    expect(payloads[0]?.metadata['encoding']).to.equal(Buffer.from('binary/encrypted').toString('base64'));
  });

  it('rejects other roles, strangers and what is no payload', async () => {
    const { cookie } = await signIn(bff, { roles: ['tenant_admin'] });
    expect((await post('/codec/decode', { cookie, origin }, await sealed())).status).to.equal(403);
    expect((await post('/codec/decode', { origin }, await sealed())).status).to.equal(401);
    const reader = await signIn(bff, { roles: [role] });
    for (const wrong of [{}, { payloads: 1 }, { payloads: [{ data: '%' }] }])
      expect((await post('/codec/decode', { cookie: reader.cookie, origin }, wrong)).status).to.equal(400);
    const packed = { cookie: reader.cookie, origin, 'content-encoding': 'gzip' };
    expect((await post('/codec/decode', packed, await sealed())).status).to.equal(415);
  });

  it('is not there unless payloads are sealed and a role is named', async () => {
    const response = await fetch(`${without.url}/codec/decode`, { method: 'POST' });
    expect(response.status).to.equal(404);
  });
});
