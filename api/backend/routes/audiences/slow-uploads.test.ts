import { readdirSync, readlinkSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { useTwoTenants } from '#test/support/fixtures/services.ts';
import { rawConnection, type RawConnection } from '#test/support/http/raw-connection.ts';
import { temporaryFolder } from '#test/support/servers/servers.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { createUploads, uploadLimits } from './uploads.ts';

const MOST_BYTES = 100_000;

interface Uploader {
  token: string;
  audienceId: string;
}

describe('uploads that arrive slowly', () => {
  const folder = temporaryFolder();
  const backend = useTwoTenants({
    contacts: 1,
    uploads: createUploads({
      ...uploadLimits({ UPLOADS_DIR: folder, UPLOADS_MAX_BYTES: 3 * MOST_BYTES }),
      mostBytes: MOST_BYTES,
      pace: { bytes: 5, everyMs: 5000 },
    }),
  });
  const opened: RawConnection[] = [];
  afterEach(async () => {
    opened.splice(0).forEach((connection) => connection.close());
    await eventually('no file is left', () => openFiles() === 0);
  });

  /** Files without a name are only seen in the process that has them. */
  const openFiles = (): number => {
    const linkOf = (descriptor: string): string => {
      try {
        return readlinkSync(`/proc/self/fd/${descriptor}`);
      } catch {
        return '';
      }
    };
    return readdirSync('/proc/self/fd').filter((descriptor) => linkOf(descriptor).startsWith(folder)).length;
  };

  async function tenant(name: string): Promise<Uploader> {
    await backend.install(name);
    const token = await backend.token(name);
    const body = { serviceNumberId: 'sn-1', name: 'L', type: 'contacts', contactIds: ['old'] };
    const { audienceId } = (await backend.call('POST', '/audiences', { token, body })).body;
    return { token, audienceId };
  }

  function upload({ token, audienceId }: Uploader, length: string, part: string): RawConnection {
    const connection = rawConnection(backend.base);
    opened.push(connection);
    const headers = [`authorization: Bearer ${token}`, 'content-type: text/csv', length];
    const path = `/internal/v1/audiences/${audienceId}/contacts`;
    connection.send(`PUT ${path} HTTP/1.1`, 'host: backend', ...headers, '', part);
    return connection;
  }
  /** Announces more than it sends. */
  const trickle = (uploader: Uploader) => upload(uploader, 'content-length: 1000', 'c1\n');
  const put = ({ token, audienceId }: Uploader, raw: string | Buffer, headers: Record<string, string> = {}) =>
    backend.call('PUT', `/audiences/${audienceId}/contacts`, { token, raw, contentType: 'text/csv', headers });

  const membersOf = ({ audienceId }: Uploader) =>
    backend.db('audience_member').where({ audience_id: audienceId }).pluck('contact_id');

  async function inTransaction(): Promise<number> {
    const found = await backend
      .db('pg_stat_activity')
      .withSchema('pg_catalog')
      .whereRaw(`datname = current_database() and state like 'idle in transaction%'`);
    return found.length;
  }

  it('hold no connection of the database, and nobody else waits', async () => {
    const tenants = await Promise.all(['t1', 't2', 't3', 't4'].map(tenant));
    tenants.forEach((one) => [trickle(one), trickle(one)]);
    await eventually('all are being received', () => openFiles() === 8);
    // A file loses its name right after it is opened.
    await eventually('none of the files has a name', () => readdirSync(folder).length === 0);
    const answers = await Promise.all(Array.from({ length: 20 }, () => backend.call('GET', '/audiences')));
    expect(answers.map(({ status }) => status)).to.deep.equal(answers.map(() => 200));
    expect(await inTransaction()).to.equal(0);
  });

  it('are two at once for a tenant, and nothing of them is stored if they are broken off', async () => {
    const [busy, other] = await Promise.all([tenant('busy'), tenant('other')]);
    const held = [trickle(busy), trickle(busy)];
    await eventually('two are being received', () => openFiles() === 2);
    const refused = await put(busy, 'c1');
    expect([refused.status, refused.body.code, refused.headers.get('retry-after')]).to.deep.equal([
      429,
      'rate_limited',
      '10',
    ]);
    expect((await put(other, 'c1')).status).to.equal(200);
    held[0]?.close();
    await eventually('its place is free', async () => (await put(busy, 'c2\nc3')).status === 200);
    held[1]?.close();
    await eventually('the other is gone, too', () => openFiles() === 0);
    expect((await membersOf(busy)).toSorted()).to.deep.equal(['c2', 'c3']);
  });

  it('end when too little arrives', async () => {
    const slow = await tenant('slow');
    const connection = trickle(slow);
    await eventually('it is told', () => connection.heard().startsWith('HTTP/1.1 408'));
    expect(connection.heard())
      .to.match(/\r\nconnection: close\r\n/i)
      .and.to.include('"code":"too_slow"');
    expect(await membersOf(slow)).to.deep.equal(['old']);
  });

  it('are refused at once if they announce too much, and where they turn out to be too long', async () => {
    const big = await tenant('big');
    const announced = upload(big, `content-length: ${MOST_BYTES + 1}`, '');
    await eventually('the announced is refused', () => announced.heard().startsWith('HTTP/1.1 413'));
    const chunk = `${'c'.repeat(99)}\n`.repeat(MOST_BYTES / 100);
    const parts = [chunk.length.toString(16), chunk, '1', 'c', '0', '', ''].join('\r\n');
    const unannounced = upload(big, 'transfer-encoding: chunked', parts);
    await eventually('the other one, too', () => unannounced.heard().startsWith('HTTP/1.1 413'));
    unannounced.send('GET /openapi.json HTTP/1.1', 'host: backend', '', '');
    await eventually('its connection goes on', () => unannounced.heard().includes('HTTP/1.1 200'));
    const headers = { 'content-encoding': 'gzip' };
    expect((await put(big, gzipSync(`${chunk}c`), headers)).status).to.equal(413);
    expect(await membersOf(big)).to.deep.equal(['old']);
  });

  it('are refused once all of them together take too much room', async () => {
    const tenants = await Promise.all(['r1', 'r2'].map(tenant));
    const [one, two] = tenants;
    if (!one || !two) throw new Error('two tenants');
    const nearly = `${'c'.repeat(99)}\n`.repeat(MOST_BYTES / 100 - 1);
    for (const each of [one, one, two]) upload(each, `content-length: ${MOST_BYTES}`, nearly);
    await eventually('three are being received', () => openFiles() === 3);
    await eventually('there is no room', async () => (await put(two, nearly)).status === 503);
    opened.splice(0).forEach((connection) => connection.close());
    await eventually('there is room again', async () => (await put(two, nearly)).status === 200);
  });
});
