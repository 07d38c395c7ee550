import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'chai';
import type { ImageCheck } from '#domain/api/images.ts';
import { useHttpServer } from '#test/support/fixtures/doubles.ts';
import { useBff } from '#test/support/fixtures/services.ts';
import { call } from '#test/support/http/call.ts';
import { pngImage } from '#test/support/images.ts';
import { installed } from '#test/support/services/bff.ts';
import { eventually } from '#test/support/time/eventually.ts';

describe('checking pictures before a send', () => {
  const held: (() => void)[] = [];
  const site = useHttpServer(({ url }: IncomingMessage, response: ServerResponse) => {
    const end = () => void response.writeHead(url === '/gone' ? 404 : 200).end(pngImage);
    if (url === '/slow') held.push(end);
    else end();
  });
  const bff = useBff();
  let token: string;
  before(async () => {
    const { platformTenantId: tenantId } = await installed(bff);
    token = await bff.identity.token({ tenantId, roles: ['marketing_operator'] });
  });

  const check = (...paths: string[]) =>
    call<{ images: ImageCheck[]; code?: string }>('POST', `${bff.url}/api/v1/images:check`, {
      token,
      body: { urls: paths.map((path) => `${site.url}${path}`) },
    });

  it('says of each, in its order, how large it is and what is wrong', async () => {
    const { status, body } = await check('/gone', '/picture');
    expect(status).to.equal(200);
    expect(body.images).to.deep.equal([
      { url: `${site.url}/gone`, width: null, height: null, bytes: null, warnings: ['refused'] },
      { url: `${site.url}/picture`, width: 1, height: 1, bytes: pngImage.length, warnings: ['small'] },
    ]);
  });

  it('refuses what is no list of addresses, and the sixth check at once', async () => {
    for (const body of [{ urls: [] }, { urls: ['file:///etc/passwd'] }, {}])
      expect((await call('POST', `${bff.url}/api/v1/images:check`, { token, body })).status).to.equal(400);
    const slow = Array.from({ length: 5 }, () => check('/slow'));
    await eventually('five wait', () => held.length === 5);
    const sixth = await check('/picture');
    expect([sixth.status, sixth.headers.get('retry-after')]).to.deep.equal([429, '5']);
    for (const end of held) end();
    expect((await Promise.all(slow)).map(({ status }) => status)).to.deep.equal([200, 200, 200, 200, 200]);
    expect((await check('/picture')).status).to.equal(200);
  });
});
