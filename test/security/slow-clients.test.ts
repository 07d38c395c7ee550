import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { expect } from 'chai';
import { createNonce } from '#domain/signature.ts';
import { useStack } from '../support/fixtures/stack.ts';
import { clickEvent } from '../support/outreach/webhook-events.ts';
import { sandboxToken } from '../support/services/sandbox-token.ts';
import { campaignBody } from '../support/services/backend.ts';
import { signedCall } from '../support/services/bff.ts';
import { installTenant, signerOf, type TestTenant } from '../support/services/tenant.ts';
import { eventually } from '../support/time/eventually.ts';

const READS = 60;
/** Below this nobody notices, and a busy machine has such moments by itself. */
const FLOOR_MS = 300;

interface Slow {
  socket: Socket;
  /** Sent once in a while; null for one that says nothing. */
  trickle: string | null;
  heard: string;
}

const p95 = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length * 0.95) - 1] ?? 0;

describe('slow clients', function () {
  this.timeout(180_000);
  const stack = useStack({ services: ['sandbox', 'backend', 'bff'] });
  let attacker: TestTenant;
  let other: TestTenant;
  const tokens = new Map<string, string>();
  before(async () => {
    const options = (tenantId: string) => ({ tenantId, serviceNumberId: `sn-${tenantId}`, contacts: 1 });
    attacker = await installTenant(stack, options('attacker'));
    other = await installTenant(stack, options('other'));
    for (const { tenantId, sandbox } of [attacker, other]) {
      const person = { name: 'Ada', sub: 'ada', tenantId, roles: ['tenant_admin'] };
      tokens.set(tenantId, await sandboxToken(sandbox, person));
    }
  });

  const slow: Slow[] = [];
  let trickling: NodeJS.Timeout | undefined;
  after(() => {
    clearInterval(trickling);
    slow.forEach(({ socket }) => socket.destroy());
  });

  /** Opens connections that begin with the lines and go on with the trickle. */
  async function open(count: number, lines: string[], trickle: string | null, reads = true): Promise<Slow[]> {
    const { hostname, port } = new URL(stack.addresses.bff);
    const opened = Array.from({ length: count }, (): Slow => {
      const one: Slow = { socket: connect(Number(port), hostname), trickle, heard: '' };
      one.socket.on('error', () => {});
      if (reads) one.socket.on('data', (part) => (one.heard += part.toString()));
      return one;
    });
    await Promise.all(opened.map(({ socket }) => once(socket, 'connect')));
    if (lines.length > 0) opened.forEach(({ socket }) => socket.write(lines.join('\r\n')));
    slow.push(...opened);
    return opened;
  }
  const signedIn = (tenant: TestTenant) => ['host: bff', `authorization: Bearer ${tokens.get(tenant.tenantId)}`];
  const bodyOf = (type: string) => [`content-type: ${type}`, 'content-length: 100000', '', '['];

  /** How long each of the other tenant's reads takes; each has to succeed. */
  async function readAll(): Promise<number[]> {
    const times: number[] = [];
    const headers = { authorization: `Bearer ${tokens.get('other')}` };
    for (let read = 0; read < READS; read += 1) {
      const begun = performance.now();
      const response = await fetch(`${stack.addresses.bff}/api/v1/audiences?limit=1`, { headers });
      await response.text();
      expect(response.status).to.equal(200);
      times.push(performance.now() - begun);
    }
    return times;
  }

  async function attack(): Promise<Slow[]> {
    const { serviceNumberId, api } = attacker;
    const body = { serviceNumberId, name: 'L', type: 'contacts', contactIds: [] };
    const { audienceId } = await api.post<{ audienceId: string }>('/audiences', body);
    const audience = { type: 'contacts' as const, contactIds: attacker.contactIds };
    const { id } = await api.post<{ id: string }>('/campaigns', campaignBody({ serviceNumberId, audience }));
    const { tenantIntegrationId } = await signerOf(attacker);
    const signed = [`authorization: PLATFORM ${tenantIntegrationId}:${'A'.repeat(43)}=`];
    const nonce = `x-platform-nonce: ${createNonce()}`;
    const upload = `PUT /api/v1/audiences/${audienceId}/contacts HTTP/1.1`;
    const ending = [
      ...(await open(100, ['GET /api/v1/tags HTTP/1.1', 'host: bff', 'x-slow: '], 'x')),
      ...(await open(200, ['POST /api/v1/tags HTTP/1.1', ...signedIn(attacker), ...bodyOf('application/json')], ' ')),
      ...(await open(
        60,
        ['POST /webhook HTTP/1.1', 'host: bff', ...signed, nonce, ...bodyOf('application/json')],
        ' ',
      )),
      ...(await open(1000, [], null)),
    ];
    const uploads = await open(20, [upload, ...signedIn(attacker), ...bodyOf('text/csv')], 'c');
    await eventually('two lists are being received', () => {
      const refused = uploads.filter(({ heard }) => /^HTTP\/1.1 429 [^]*\r\nretry-after: /i.test(heard));
      return refused.length === uploads.length - 2;
    });
    const reading = ['accept: text/event-stream', '', ''];
    await open(6, [`GET /api/v1/campaigns/${id}/stream HTTP/1.1`, ...signedIn(attacker), ...reading], null, false);
    return [...ending, ...uploads];
  }

  it('slow nobody else down, hold no connection of the database, and are told to leave', async () => {
    const usual = p95([...(await readAll()), ...(await readAll())]);
    const ending = await attack();
    trickling = setInterval(() => {
      for (const { socket, trickle } of slow) if (trickle !== null && socket.writable) socket.write(trickle);
    }, 500);

    const times = await readAll();
    const signer = await signerOf(other);
    for (let sent = 0; sent < 10; sent += 1)
      expect((await signedCall({ url: stack.addresses.bff }, '/webhook', signer, clickEvent())).status).to.equal(200);
    const idle = await stack.database.connect('outreach', 'owner')
      .raw(`select application_name from pg_stat_activity where datname = current_database()
        and state like 'idle in transaction%' and now() - state_change > interval '1 second'`);
    expect(idle.rows).to.deep.equal([]);
    times.push(...(await readAll()));
    const under = p95(times);
    process.stdout.write(
      `      p95 of reads: ${under.toFixed(1)} ms among ${slow.length} slow clients, ${usual.toFixed(1)} without\n`,
    );
    expect(under, `usually ${Math.round(usual)} ms`).to.be.at.most(Math.max(2 * usual, FLOOR_MS));

    await eventually('all that are slow have been ended', () => {
      const left = ending.filter(({ socket }) => !socket.closed).map(({ heard }) => heard.split('\r\n')[0]);
      expect(left).to.deep.equal([]);
      return true;
    });
    expect((await readAll()).length).to.equal(READS);
  });
});
