import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { listen } from '../../test/support/http/listen.ts';
import { findOnPath } from './postgres-user.ts';
import { type Archive, archiveOfThisMachine, downloadTemporal } from './temporal-download.ts';
import { findTemporal } from './temporal-finder.ts';

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const PROGRAM = '#!/bin/sh\necho a server\n';

/** A release as its host serves it: behind a redirect. */
async function startHost(archive: Buffer) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (request.url === '/release') return void response.writeHead(302, { location: '/file' }).end();
    if (request.url !== '/file') return void response.writeHead(404).end();
    response.end(archive);
  });
  const url = await listen(server);
  return { asked, url, stop: () => new Promise((resolve) => server.close(resolve)) };
}

describe('the download of the Temporal server', () => {
  const { PATH, XDG_CACHE_HOME } = process.env;
  const folder = mkdtempSync(join(tmpdir(), 'temporal-download-'));
  let bytes: Buffer;
  let host: Awaited<ReturnType<typeof startHost>>;

  before(async () => {
    writeFileSync(join(folder, 'temporal'), PROGRAM, { mode: 0o755 });
    execFileSync('tar', ['-czf', join(folder, 'a.tar.gz'), '-C', folder, 'temporal']);
    bytes = readFileSync(join(folder, 'a.tar.gz'));
    host = await startHost(bytes);
    // Neither Temporal nor Go.
    mkdirSync(join(folder, 'bin'));
    for (const name of ['tar', 'gzip', 'sh']) symlinkSync(findOnPath(name) ?? '', join(folder, 'bin', name));
  });
  beforeEach(() => {
    process.env['PATH'] = join(folder, 'bin');
    process.env['XDG_CACHE_HOME'] = mkdtempSync(join(folder, 'cache-'));
    host.asked.length = 0;
  });
  afterEach(() => {
    process.env['PATH'] = PATH;
    if (XDG_CACHE_HOME === undefined) delete process.env['XDG_CACHE_HOME'];
    else process.env['XDG_CACHE_HOME'] = XDG_CACHE_HOME;
  });
  after(async () => {
    await host.stop();
    rmSync(folder, { recursive: true });
  });

  const release = (changed: Partial<Archive> = {}): Archive => ({
    url: `${host.url}/release`,
    sha256: sha256(bytes),
    ...changed,
  });
  const cached = () => readdirSync(join(process.env['XDG_CACHE_HOME'] ?? '', 'outreach-platform'), { recursive: true });

  it('is known for this machine, with its checksum', () => {
    const archive = archiveOfThisMachine();
    expect(archive?.url).to.match(/^https:\/\/github\.com\/temporalio\/cli\/releases\/download\/v1\.5\.1\//);
    expect(archive?.sha256).to.match(/^[0-9a-f]{64}$/);
  });

  it('is unpacked into the cache, and taken from there the next time', async () => {
    const program = await findTemporal(() => {}, release());
    expect(execFileSync(program, { encoding: 'utf8' })).to.equal('a server\n');
    expect(cached()).to.have.members(['temporal-1.5.1', 'temporal-1.5.1/temporal']);
    expect(await findTemporal(() => {}, release())).to.equal(program);
    expect(host.asked).to.deep.equal(['/release', '/file']);
  });

  it('is deleted, and neither unpacked nor started, if its checksum is another', async () => {
    const said: string[] = [];
    const refused = await findTemporal(
      (line) => said.push(line),
      release({ sha256: sha256(Buffer.from('another')) }),
    ).catch(String);
    expect(refused).to.match(/There is no Temporal server: its download failed and Go is not installed/);
    expect(said.join('\n')).to.include(`the archive has the checksum ${sha256(bytes)}`);
    expect(host.asked).to.deep.equal(['/release', '/file']);
    expect(cached()).to.deep.equal([]);
  });

  it('ends at its limit, and leaves nothing behind', async () => {
    const target = mkdtempSync(join(folder, 'small-'));
    const refused = await downloadTemporal(target, release(), bytes.length - 1).catch(String);
    expect(refused).to.match(/more than \d+ bytes/);
    expect(existsSync(join(target, 'temporal'))).to.equal(false);
    expect(readdirSync(target)).to.deep.equal([]);
    expect(await downloadTemporal(target, release(), bytes.length)).to.equal(join(target, 'temporal'));
  });

  it('says what the host responded, or why it was not reached', async () => {
    const target = mkdtempSync(join(folder, 'missing-'));
    expect(await downloadTemporal(target, release({ url: `${host.url}/no` })).catch(String)).to.match(/responded 404/);
    const gone = await startHost(bytes);
    await gone.stop();
    expect(await downloadTemporal(target, release({ url: gone.url })).catch(String)).to.match(/ECONNREFUSED/);
  });
});
