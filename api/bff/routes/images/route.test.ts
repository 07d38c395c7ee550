import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'chai';
import { createFileService } from '#clients/files/file-service.ts';
import { createHttpExchange } from '#clients/http/exchange.ts';
import { MAXIMUM_IMAGE_BYTES } from '#domain/images/image-file.ts';
import { useHttpServer } from '#test/support/fixtures/doubles.ts';
import { fixture } from '#test/support/fixtures/fixture.ts';
import { useBff } from '#test/support/fixtures/services.ts';
import { rawConnection } from '#test/support/http/raw-connection.ts';
import { gifImage, jpegImage, pngImage, webpImage } from '#test/support/images.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { installed, responseOf } from '#test/support/services/bff.ts';

interface Stored {
  method: string | undefined;
  url: string;
  type: string | undefined;
  authorization: string | undefined;
  bytes: Buffer;
}

const token = 'the-token-of-the-file-service';

describe('uploading pictures', () => {
  let stored: Stored[];
  let status: number;
  const store = useHttpServer((request: IncomingMessage, response: ServerResponse) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const { method, url = '', headers } = request;
      const { 'content-type': type, authorization } = headers;
      stored.push({ method, url, type, authorization, bytes: Buffer.concat(parts) });
      response.writeHead(status).end('secret words of the store');
    });
  });
  const exchange = fixture(async () => {
    const value = createHttpExchange({ timeoutMs: 5000, connections: 2 });
    return { value, close: () => value.close() };
  });
  const bff = useBff(() => ({ files: createFileService({ baseUrl: `${store.url}/kept`, token, exchange }) }));
  const without = useBff();
  let tenantId: string;
  before(async () => {
    tenantId = (await installed(bff)).platformTenantId;
  });
  beforeEach(() => {
    stored = [];
    status = 201;
  });

  const bearer = (roles: string[], on: typeof bff = bff, tenant = tenantId) =>
    on.identity.token({ tenantId: tenant, roles, sub: `u-${roles.join('-')}` });
  async function upload(
    body: Buffer,
    { roles = ['marketing_operator'], type = 'image/png' }: { roles?: string[]; type?: string } = {},
  ) {
    const headers = { authorization: `Bearer ${await bearer(roles)}`, 'content-type': type };
    return responseOf(await fetch(`${bff.url}/api/v1/images`, { method: 'POST', headers, body: new Uint8Array(body) }));
  }

  it('stores each kind of picture under a name of its own, by what the bytes are', async () => {
    const kinds = [
      [pngImage, 'image/png', 'png'],
      [jpegImage, 'image/jpeg', 'jpg'],
      [gifImage, 'image/gif', 'gif'],
      [webpImage, 'image/webp', 'webp'],
    ] as const;
    for (const [image, type, ending] of kinds) {
      const { status: answered, body } = await upload(image, { type: 'image/svg+xml; name="a.svg"' });
      expect(answered).to.equal(201);
      const last = stored.at(-1);
      expect(last?.url).to.match(new RegExp(`^/kept/[0-9a-f-]{36}\\.${ending}$`));
      expect(body).to.deep.equal({ url: `${store.url}${last?.url}` });
      expect(last).to.include({ method: 'PUT', type, authorization: `Bearer ${token}` });
      expect(last?.bytes.equals(image)).to.equal(true);
    }
    expect(new Set(stored.map(({ url }) => url))).to.have.length(kinds.length);
  });

  it('takes nothing but whole pictures, whatever they call themselves', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    const page = Buffer.from('<!doctype html><script>alert(1)</script>');
    const refused: [string, Buffer, string][] = [
      ['nothing', Buffer.alloc(0), 'image_type'],
      ['SVG', svg, 'image_type'],
      ['a page', page, 'image_type'],
      ['a picture that breaks off', pngImage.subarray(0, -8), 'image_broken'],
      ['a page behind a picture', Buffer.concat([gifImage, page]), 'image_broken'],
      ['the beginning of a picture before a page', Buffer.concat([jpegImage.subarray(0, 20), page]), 'image_broken'],
    ];
    for (const [what, bytes, code] of refused) {
      const { status: answered, body } = await upload(bytes);
      expect(answered, what).to.equal(422);
      expect(body, what).to.have.property('code', 'invalid_content');
      expect(body, what).to.have.nested.property('errors[0].code', code);
    }
    expect((await upload(pngImage, { type: 'text/html' })).body).to.have.property('code', 'unsupported_media_type');
    expect(stored).to.deep.equal([]);
    expect((await upload(pngImage, { type: 'application/octet-stream' })).status).to.equal(201);
  });

  it('takes 5 MiB, and not a byte more, whether announced or not', async () => {
    const padding = (size: number) =>
      Buffer.concat([gifImage.subarray(0, -1), Buffer.alloc(size, 1), Buffer.from(';')]);
    const largest = padding(MAXIMUM_IMAGE_BYTES - gifImage.length);
    expect((await upload(largest)).status).to.equal(201);
    const larger = padding(MAXIMUM_IMAGE_BYTES - gifImage.length + 1);
    expect((await upload(larger)).body).to.have.property('code', 'too_large');
    const authorization = `Bearer ${await bearer(['tenant_admin'])}`;
    const unannounced = new ReadableStream({
      start(controller) {
        controller.enqueue(new Uint8Array(larger));
        controller.close();
      },
    });
    const init = { method: 'POST', headers: { authorization }, body: unannounced, duplex: 'half' };
    const answer = await responseOf(await fetch(`${bff.url}/api/v1/images`, init as RequestInit));
    expect(answer.body).to.have.property('code', 'too_large');
    expect(stored).to.have.length(1);
  });

  it('stores nothing of an upload that breaks off', async () => {
    const connection = rawConnection(bff.url);
    const authorization = `Bearer ${await bearer(['tenant_admin'])}`;
    const length = pngImage.length + 1;
    const headers = [
      'Host: bff',
      `Authorization: ${authorization}`,
      `Content-Length: ${length}`,
      'Expect: 100-continue',
    ];
    connection.send('POST /api/v1/images HTTP/1.1', ...headers, '', pngImage.toString('latin1'));
    await eventually('it is being received', () => connection.heard().includes('100 Continue'));
    connection.close();
    expect((await upload(gifImage)).status).to.equal(201);
    expect(stored.map(({ type }) => type)).to.deep.equal(['image/gif']);
  });

  it('is for those who write campaigns', async () => {
    expect((await upload(pngImage, { roles: ['viewer'] })).status).to.equal(403);
    expect((await upload(pngImage, { roles: ['order_admin'] })).status).to.equal(403);
    const anonymous = await fetch(`${bff.url}/api/v1/images`, { method: 'POST', body: new Uint8Array(pngImage) });
    expect(anonymous.status).to.equal(401);
    expect(stored).to.deep.equal([]);
  });

  it('says that the file service failed, without its words or the token', async () => {
    status = 403;
    const { status: answered, body } = await upload(pngImage);
    expect(answered).to.equal(503);
    expect(JSON.stringify(body)).not.to.include('secret words');
    expect(bff.log()).to.include('HTTP 403').and.not.include(token);
  });

  it('is off without a file service, and the console is told', async () => {
    const { platformTenantId } = await installed(without);
    const headers = { authorization: `Bearer ${await bearer(['tenant_admin'], without, platformTenantId)}` };
    const body = new Uint8Array(pngImage);
    const answer = await responseOf(await fetch(`${without.url}/api/v1/images`, { method: 'POST', headers, body }));
    expect(answer.status).to.equal(409);
    const images = async (on: typeof bff, authorization: string) =>
      (await responseOf(await fetch(`${on.url}/api/v1/integration`, { headers: { authorization } }))).body;
    expect(await images(without, headers.authorization)).to.include({ images: false });
    expect(await images(bff, `Bearer ${await bearer(['viewer'])}`)).to.include({ images: true });
  });
});
