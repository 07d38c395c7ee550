import { EventEmitter } from 'node:events';
import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import type { Context } from 'koa';
import { hashToken } from './identity/signed-in.ts';
import { createStreams, STREAMS_PER_SESSION, STREAMS_PER_TENANT } from './streams.ts';
import { createLogger } from '../runtime/logger.ts';
import { isOver, startStreamingBackend, type StreamingBackend } from '#test/support/doubles/streaming-backend.ts';
import { installed, responseOf, startTestBff, type TestBff } from '#test/support/services/bff.ts';
import { signIn } from '#test/support/services/bff-sign-in.ts';
import { useBff } from '#test/support/fixtures/services.ts';
import { eventually } from '#test/support/time/eventually.ts';

describe('event streams', function () {
  this.timeout(60_000);
  const bff = useBff();
  let backend: StreamingBackend;
  let other: TestBff;
  let tenantId: string;

  before(async () => {
    ({ platformTenantId: tenantId } = await installed(bff));
    backend = await startStreamingBackend();
    other = await startTestBff({ sharing: bff, backendUrl: backend.url });
  });
  after(async () => {
    await other.close();
    await backend.stop();
  });

  const stream = (headers: Record<string, string>) => fetch(`${other.url}/api/v1/campaigns/c-1/stream`, { headers });
  const bearer = async (sub: string, of = tenantId) => ({
    authorization: `Bearer ${await bff.identity.token({ tenantId: of, sub })}`,
  });
  const leave = (responses: Response[]) => Promise.all(responses.map(({ body }) => body?.cancel()));
  const noneOpen = () => eventually('all streams are closed', () => backend.open.size === 0);

  it('are at most six of a session: the next is 429 with Retry-After, until one is closed', async () => {
    const headers = await bearer('with-many-tabs');
    const opened: Response[] = [];
    for (let tab = 0; tab < STREAMS_PER_SESSION; tab += 1) opened.push(await stream(headers));
    expect(opened.map(({ status }) => status)).to.deep.equal(opened.map(() => 200));
    const refused = await responseOf(await stream(headers));
    expect([refused.status, (refused.body as { code: string }).code]).to.deep.equal([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 60);
    expect((await stream(await bearer('with-one-tab'))).status).to.equal(200);
    await leave(opened.slice(0, 1));
    await eventually('another may be opened', async () => (await stream(headers)).status === 200);
    backend.open.forEach((response) => response.destroy());
    await noneOpen();
  });

  it('are at most 100 of a tenant, and take no connection from the calls of others', async () => {
    const people = Array.from({ length: 20 }, (_, index) => `viewer-${index}`);
    const opened: Response[] = [];
    for (const sub of people) {
      const headers = await bearer(sub);
      const six = await Promise.all(Array.from({ length: STREAMS_PER_SESSION }, () => stream(headers)));
      opened.push(...six);
    }
    const statuses = opened.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).to.have.length(STREAMS_PER_TENANT);
    expect(statuses.filter((status) => status === 429)).to.have.length(opened.length - STREAMS_PER_TENANT);
    expect(backend.open.size).to.equal(STREAMS_PER_TENANT);
    const { platformTenantId: second } = await installed(bff);
    const theirs = await bearer('somebody-else', second);
    expect((await stream(theirs)).status).to.equal(200);
    const calls = await Promise.all(
      Array.from({ length: 50 }, () => fetch(`${other.url}/api/v1/campaigns`, { headers: theirs })),
    );
    expect(new Set(calls.map(({ status }) => status))).to.deep.equal(new Set([200]));
    backend.open.forEach((response) => response.destroy());
    await noneOpen();
  });

  it('are not what a call waits for: without a free connection it is 503 after five seconds', async () => {
    const headers = await bearer('patient');
    const left = new AbortController();
    const slow = Array.from({ length: 128 }, () =>
      fetch(`${other.url}/api/v1/campaigns?q=slow`, { headers, signal: left.signal }).catch(String),
    );
    const began = Date.now();
    const late = await eventually('a call finds no connection', async () => {
      const response = await fetch(`${other.url}/api/v1/campaigns`, { headers });
      return response.status === 503 ? responseOf(response) : false;
    });
    expect((late.body as { code: string }).code).to.equal('unavailable');
    expect(Date.now() - began).to.be.within(4000, 20_000);
    left.abort();
    await Promise.all(slow);
    await eventually('calls go through again', async () => {
      const response = await fetch(`${other.url}/api/v1/campaigns`, { headers });
      return response.status === 200;
    });
  });

  it('do not count for whoever left before they were open', async () => {
    const streams = createStreams(createLogger('bff', 'silent'));
    const reader = { tokenHash: hashToken('of-a-tab'), tenantId, expiresAt: new Date(Date.now() + 60_000) };
    const context = (closed: boolean) => ({ res: Object.assign(new EventEmitter(), { closed }) }) as unknown as Context;
    for (let tab = 0; tab < 2 * STREAMS_PER_SESSION; tab += 1)
      expect(streams.open(context(true), reader, () => Promise.resolve(reader.expiresAt)).aborted).to.equal(true);
    expect(streams.open(context(false), reader, () => Promise.resolve(reader.expiresAt)).aborted).to.equal(false);
  });

  it('end if their session ended while they were being opened', async () => {
    const streams = createStreams(createLogger('bff', 'silent'));
    const ctx = { res: Object.assign(new EventEmitter(), { closed: false }) } as unknown as Context;
    const signal = streams.open(ctx, { tokenHash: hashToken('gone'), tenantId }, () => Promise.resolve(null));
    await eventually('it has ended', () => signal.aborted);
  });

  it('are authenticated again after a second and every five minutes, and end once that fails', async () => {
    const streams = createStreams(createLogger('bff', 'silent'));
    const until = new Date(Date.now() + 12 * 3_600_000);
    let mayGoOn = true;
    let asked = 0;
    const ask = () => {
      asked += 1;
      return Promise.resolve(mayGoOn ? until : null);
    };
    const ctx = { res: Object.assign(new EventEmitter(), { closed: false }) } as unknown as Context;
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const signal = streams.open(ctx, { tokenHash: hashToken('goes-on'), tenantId }, ask);
      const after = async (ms: number) => {
        mock.timers.tick(ms);
        await turn();
        return asked;
      };
      expect(await after(1000)).to.equal(1);
      for (const count of [1, 2, 3]) {
        expect(await after(299_999)).to.equal(count);
        expect(await after(1)).to.equal(count + 1);
      }
      expect(signal.aborted).to.equal(false);
      mayGoOn = false;
      await after(300_000);
      expect(signal.aborted).to.equal(true);
    } finally {
      mock.timers.reset();
    }
  });

  it('end when the person’s renewed token has the role no more', async () => {
    bff.identity.refreshing({ status: 503, error: 'temporarily_unavailable' });
    const exp = Math.floor(Date.now() / 1000) + 4;
    const { cookie } = await signIn(other, { tenantId, sub: 'demoted', exp });
    other.forgetLog();
    const response = await stream({ cookie });
    expect(response.status).to.equal(200);
    const tries = () => other.log().split('a platform token was not renewed').length - 1;
    await eventually('the stream was checked after it was opened', () => tries() === 2);
    bff.identity.refreshing({ claims: { roles: ['somebody'] } });
    expect(await isOver(response)).to.equal(true);
    expect((await stream({ cookie })).status).to.equal(403);
    bff.identity.refreshing({ claims: {} });
    await noneOpen();
  });

  it('end with sign-out, and only those of that session', async () => {
    const { cookie } = await signIn(other, { tenantId });
    const [own, others] = [await stream({ cookie }), await stream(await bearer('stays'))];
    await eventually('both are open', () => backend.open.size === 2);
    const out = await fetch(`${other.url}/api/v1/auth/logout`, {
      method: 'POST',
      headers: { cookie, origin: other.url },
    });
    expect(out.status).to.equal(204);
    expect(await isOver(own)).to.equal(true);
    await eventually('the other goes on', () => backend.open.size === 1);
    await leave([others]);
    await noneOpen();
  });

  it('end when the session expires', async () => {
    const { cookie } = await signIn(other, { tenantId });
    const tokenHash = hashToken(cookie.slice('session='.length));
    await bff
      .rows('session')
      .where({ token_hash: tokenHash })
      .update({ expires_at: new Date(Date.now() + 1500) });
    const response = await stream({ cookie });
    expect(response.status).to.equal(200);
    expect(await isOver(response)).to.equal(true);
    await noneOpen();
  });

  it('end when the person’s token expires and cannot be renewed', async () => {
    bff.identity.refreshing({ status: 503, error: 'temporarily_unavailable' });
    const exp = Math.floor(Date.now() / 1000) + 4;
    const { cookie } = await signIn(other, { tenantId, exp });
    other.forgetLog();
    const response = await stream({ cookie });
    expect(response.status).to.equal(200);
    const tries = () => other.log().split('a platform token was not renewed').length - 1;
    await eventually('the stream was checked after it was opened', () => tries() === 2);
    bff.identity.refreshing({ status: 400, error: 'invalid_grant' });
    expect(await isOver(response)).to.equal(true);
    expect(Date.now() / 1000).to.be.greaterThan(exp - 1);
    const tokenHash = hashToken(cookie.slice('session='.length));
    expect(await bff.rows('session').where({ token_hash: tokenHash })).to.deep.equal([]);
    bff.identity.refreshing({ claims: {} });
    await noneOpen();
  });

  it('end with what the identity service ends', async () => {
    const { cookie } = await signIn(other, { tenantId, sub: 'signed-out-elsewhere' });
    const [own, others] = [await stream({ cookie }), await stream(await bearer('stays'))];
    await eventually('both are open', () => backend.open.size === 2);
    const body = new URLSearchParams({ logout_token: await bff.identity.logoutToken({ sub: 'signed-out-elsewhere' }) });
    const told = await fetch(`${other.url}/api/v1/auth/backchannel-logout`, { method: 'POST', body });
    expect(told.status).to.equal(200);
    expect(await isOver(own)).to.equal(true);
    await eventually('the other goes on', () => backend.open.size === 1);
    await leave([others]);
    await noneOpen();
  });

  it('end when somebody ends their session', async () => {
    const { cookie } = await signIn(other, { tenantId, sub: 'ended' });
    const response = await stream({ cookie });
    const { items } = (await (await fetch(`${other.url}/api/v1/sessions`, { headers: { cookie } })).json()) as {
      items: { id: string }[];
    };
    const address = `${other.url}/api/v1/sessions/${items[0]?.id}`;
    expect((await fetch(address, { method: 'DELETE', headers: await bearer('ended') })).status).to.equal(204);
    expect(await isOver(response)).to.equal(true);
    await noneOpen();
  });
});
