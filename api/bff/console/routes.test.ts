import { mkdirSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { startTestBff } from '#test/support/services/bff.ts';
import { temporaryFolder } from '#test/support/servers/servers.ts';
import { useBff } from '#test/support/fixtures/services.ts';

const script = `console.log(${JSON.stringify('x'.repeat(5000))});`;

describe('the console', () => {
  const folder = temporaryFolder();
  const bff = useBff({
    consoleFolder: folder,
    embedAllowedOrigins: ['https://desk.example', 'https://other.example'],
  });
  before(() => {
    mkdirSync(join(folder, 'assets'));
    mkdirSync(join(folder, '.vite'));
    writeFileSync(join(folder, 'index.html'), '<meta content="__EMBED_ALLOWED_ORIGINS__"></head><div id="app">');
    writeFileSync(join(folder, 'assets/index-abc123.js'), script);
    writeFileSync(join(folder, 'icon.svg'), '<svg/>');
    writeFileSync(join(folder, 'assets/ready-abc123.js'), script);
    writeFileSync(join(folder, 'assets/ready-abc123.js.br'), brotliCompressSync(script));
    writeFileSync(join(folder, 'assets/ready-abc123.js.gz'), gzipSync(script, { level: 1 }));
    const overview = { path: '/app', scripts: ['assets/o.js'], styles: [], requests: ['/api/v1/me'] };
    const bundled = { openings: [overview], texts: { en: 'assets/en.js', 'zh-Hant': 'assets/zh.js' } };
    writeFileSync(join(folder, '.vite/bundled.json'), JSON.stringify(bundled));
  });

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${bff.url}${path}`, { headers, redirect: 'manual' });

  /** As sent by the server; fetch would decompress it. */
  const raw = (path: string, headers: Record<string, string>) =>
    new Promise<{ headers: NodeJS.Dict<string | string[]>; body: Buffer }>((resolve, reject) => {
      const { port } = new URL(bff.url);
      httpRequest({ host: '127.0.0.1', port, path, headers }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(parts) }));
      })
        .on('error', reject)
        .end();
    });

  it('is one page at each of its addresses, with the allowed hosts in it', async () => {
    for (const path of ['/app', '/app/campaigns/c-1?tab=clicks', '/embed/main', '/embed/sn-campaigns']) {
      const response = await get(path);
      expect(response.status, path).to.equal(200);
      expect(response.headers.get('content-type')).to.match(/^text\/html/);
      expect(response.headers.get('cache-control')).to.equal('no-cache');
      expect(await response.text()).to.include('content="https://desk.example https://other.example"');
    }
    expect((await get('/')).headers.get('location')).to.equal('/app');
  });

  it('runs only its own scripts, and is framed only by allowed hosts and under /embed', async () => {
    const policy = async (path: string) => (await get(path)).headers.get('content-security-policy') ?? '';
    expect(await policy('/app'))
      .to.include("script-src 'self'")
      .and.include("frame-ancestors 'none'");
    expect(await policy('/app')).to.include("style-src 'self' 'unsafe-inline'");
    expect(await policy('/embed/main')).to.include('frame-ancestors https://desk.example https://other.example');
    expect(await policy('/api/v1/me')).to.include("default-src 'none'");
  });

  it('tells browsers with every response what not to guess or reveal', async () => {
    for (const path of ['/app', '/api/v1/me', '/nothing', '/assets/index-abc123.js', '/healthz']) {
      const { headers } = await get(path);
      expect(headers.get('x-content-type-options'), path).to.equal('nosniff');
      expect(headers.get('referrer-policy')).to.equal('no-referrer');
      expect(headers.get('cross-origin-opener-policy')).to.equal('same-origin');
      expect(headers.get('cross-origin-resource-policy')).to.equal('same-origin');
      expect(headers.get('permissions-policy')).to.include('camera=()');
    }
  });

  it('serves its files compressed and cached forever', async () => {
    const path = '/assets/index-abc123.js';
    const result = await raw(path, { 'accept-encoding': 'gzip, br' });
    expect(result.headers).to.include({
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    });
    expect(result.headers['content-type']).to.match(/javascript/);
    expect(brotliDecompressSync(result.body).toString()).to.equal(script);
    expect((await raw(path, { 'accept-encoding': 'gzip' })).headers['content-encoding']).to.equal('gzip');
    const plain = await raw(path, { 'accept-encoding': 'identity' });
    expect(plain.headers).to.not.have.property('content-encoding');
    expect(plain.body.toString()).to.equal(script);
    expect((await get('/icon.svg')).status).to.equal(200);
  });

  it('serves what the build has compressed as it is', async () => {
    const path = '/assets/ready-abc123.js';
    const { headers, body } = await raw(path, { 'accept-encoding': 'br' });
    expect(headers).to.include({ 'content-encoding': 'br', vary: 'Accept-Encoding' });
    expect(body.equals(brotliCompressSync(script))).to.equal(true);
    const gzip = await raw(path, { 'accept-encoding': 'gzip' });
    expect(gzip.body.equals(gzipSync(script, { level: 1 }))).to.equal(true);
  });

  it('links in the page what its address is going to need, and the texts of the language that the browser wants', async () => {
    const page = async (path: string, language: string) => {
      const response = await get(path, { 'accept-language': language, cookie: 'session=somebody' });
      expect(response.headers.get('vary')).to.include('Accept-Language');
      return response.text();
    };
    const english = await page('/app', 'en-GB');
    expect(english).to.include('<link rel="modulepreload" crossorigin href="/assets/o.js">');
    expect(english).to.include('href="/assets/en.js"').and.not.include('href="/assets/zh.js"');
    expect(english).to.include('<link rel="preload" as="fetch" crossorigin href="/api/v1/me"></head>');
    expect(await page('/app', 'zh-TW,en;q=0.5')).to.include('href="/assets/zh.js"');
    expect(await page('/embed/main', 'en')).to.not.include('rel=');
  });

  it('serves nothing outside its folder', async () => {
    for (const path of [
      '/assets/missing.js',
      '/.vite/bundled.json',
      '/assets/ready-abc123.js.br',
      '/assets/ready-abc123.js.gz',
      '/assets/../index.html',
      '/assets/%2e%2e/%2e%2e/etc/passwd',
      '/assets/..%2f..%2f..%2fetc%2fpasswd',
      '/index.html',
      '/assets/%E0%A4%A',
      '/assets/%00',
    ]) {
      const { headers, body } = await raw(path, {});
      expect(headers['content-type'], path).to.match(/^application\/problem\+json/);
      expect(JSON.parse(body.toString())).to.include({ code: 'not_found' });
    }
  });

  it('sends nobody his request back: TRACE is unknown', async () => {
    const { port } = new URL(bff.url);
    const [status, text] = await new Promise<[number | undefined, string]>((resolve, reject) => {
      httpRequest(
        { host: '127.0.0.1', port, path: '/app', method: 'TRACE', headers: { 'x-canary': 'c-1' } },
        (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('end', () => resolve([response.statusCode, Buffer.concat(parts).toString()]));
        },
      )
        .on('error', reject)
        .end();
    });
    expect(status).to.equal(404);
    expect(text).to.not.include('c-1');
  });

  it('tells nobody its figures: they have a listener of their own', async () => {
    expect((await get('/metrics')).status).to.equal(404);
  });

  it('describes its interfaces, for programs and for people', async () => {
    const document = (await (await get('/openapi.json')).json()) as { openapi: string; paths: Record<string, unknown> };
    expect(document.openapi).to.equal('3.1.0');
    expect(document.paths).to.include.keys('/install', '/webhook', '/api/v1/me', '/api/v1/campaigns/{id}:send');
    expect(Object.keys(document.paths).filter((path) => path.startsWith('/internal'))).to.deep.equal([]);
    const docs = await get('/docs');
    expect(docs.headers.get('content-type')).to.match(/^text\/html/);
    expect(docs.headers.get('content-security-policy')).to.include("script-src 'self';").and.not.include('http');
    const assets = [...(await docs.text()).matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)].map(([, path]) => path ?? '');
    expect(assets).to.have.length(2);
    for (const path of assets) {
      const asset = await get(path);
      expect([asset.status, asset.headers.get('content-type')?.split(';')[0]], path).to.deep.equal([
        200,
        'text/javascript',
      ]);
      await asset.arrayBuffer();
    }
    for (const path of ['/docs/package.json', '/docs/..%2fpackage.json'])
      expect((await get(path)).status).to.equal(404);
  });

  it('says what is missing if it is not built', async () => {
    const unbuilt = await startTestBff({ sharing: bff });
    try {
      const response = await fetch(`${unbuilt.url}/app`);
      expect(response.status).to.equal(503);
      expect(await response.text()).to.include('npm run build');
    } finally {
      await unbuilt.close();
    }
  });
});
