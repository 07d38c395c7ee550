import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LookupAddress } from 'node:dns';
import { expect } from 'chai';
import { useHttpServer } from '#test/support/fixtures/doubles.ts';
import { pngImage } from '#test/support/images.ts';
import { createOutsideAddresses } from '../addresses/outside-addresses.ts';
import { createImageReader } from './image-reader.ts';

describe('reading pictures that people have named', () => {
  const asked: string[] = [];
  const site = useHttpServer(({ url = '' }: IncomingMessage, response: ServerResponse) => {
    asked.push(url);
    if (url === '/picture') response.writeHead(200).end(pngImage);
    else if (url === '/endless') response.writeHead(200).write(Buffer.alloc(100_000));
    else if (url === '/once') response.writeHead(302, { location: '/picture' }).end();
    else if (url === '/around') response.writeHead(302, { location: '/around' }).end();
    else if (url === '/inside') response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end();
    else response.writeHead(404).end('nothing');
  });
  const local = createImageReader(createOutsideAddresses({ production: false }));
  const inside: LookupAddress = { address: '127.0.0.1', family: 4 };
  const production = createImageReader(
    createOutsideAddresses({ production: true, resolve: (_, done) => done(null, [inside]) }),
  );
  after(() => Promise.all([local.close(), production.close()]));
  beforeEach(() => void (asked.length = 0));
  const read = (path: string, maximum = 1000) => local.read(`${site.url}${path}`, maximum);

  it('reads as far as it is allowed to, and follows redirects', async () => {
    expect(await read('/picture')).to.deep.equal({ kind: 'read', bytes: pngImage });
    expect(await read('/once')).to.deep.equal({ kind: 'read', bytes: pngImage });
    expect(await read('/endless', 10)).to.deep.equal({ kind: 'read', bytes: Buffer.alloc(10) });
  });

  it('says that it is refused, or not to be reached, and goes round no more than three times', async () => {
    expect(await read('/gone')).to.deep.equal({ kind: 'refused', status: 404 });
    asked.length = 0;
    expect(await read('/around')).to.deep.equal({ kind: 'refused', status: 302 });
    expect(asked).to.have.length(4);
    expect(await local.read('http://127.0.0.1:1/picture', 10)).to.deep.equal({ kind: 'unreachable' });
  });

  it('calls nobody inside our network, whatever the name or the redirect', async () => {
    expect(await read('/inside')).to.deep.equal({ kind: 'not_public' });
    asked.length = 0;
    const { port } = new URL(site.url);
    for (const url of [`https://pictures.example:${port}/picture`, site.url, 'https://10.0.0.1/', 'https://[::1]/'])
      expect(await production.read(url, 10), url).to.deep.equal({ kind: 'not_public' });
    expect(asked).to.deep.equal([]);
  });
});
