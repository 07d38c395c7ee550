import { expect } from 'chai';
import { createPlatformTasks } from '#api/backend/platform-tasks.ts';
import { rows } from '#db/database.ts';
import { takeTokens } from '#db/outreach/tenants/pace.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { readTasks, seedTenant, type TestSend } from '#test/support/outreach/rows.ts';
import { testDeps, testEncryption } from '#test/support/services/outreach-flows.ts';
import { openSendingSite, type SendingSite } from '#test/support/services/sending-site.ts';
import { forEachLimited } from '../concurrency.ts';
import { withJitter } from '#activities/jitter.ts';
import type { OutreachDeps } from '../deps.ts';

const HOUR_MS = 3_600_000;
const busy = { status: 429, body: { code: 'busy' }, headers: { 'Retry-After': '3600' } };

describe('pacing of calls to the platform', () => {
  const database = useDatabase('outreach');
  let site: SendingSite;

  beforeEach(async () => {
    site = await openSendingSite(database);
  });
  afterEach(() => site.close());

  /** Does what the workflow of the send does in one round. @returns until when it then waits. */
  async function dispatch(send: TestSend): Promise<Date[]> {
    const waits: Date[] = [];
    const { tenantId, dispatchId } = send;
    const plan = await site.run(() => site.activities.planDispatch(send));
    await forEachLimited(plan.ranges, 5, async (range) => {
      const { waitUntil } = await site.run(() => site.activities.submitBroadcasts({ tenantId, dispatchId, ...range }));
      if (waitUntil) waits.push(new Date(waitUntil));
    });
    return waits;
  }

  it('A10: a send of 10,000 sub-tasks makes at most 5 calls after the first 429, and the next round makes none', async () => {
    const send = await site.seedSend({ chunks: Array.from({ length: 10_000 }, () => 1) });
    site.platform.behave(() => busy);
    const since = Date.now();
    const waits = await dispatch(send);
    expect(site.platform.calls.length).to.be.within(1, 6);
    const calls = site.platform.calls.length;
    expect(waits).to.have.length(100);
    expect(Math.min(...waits.map(Number))).to.be.at.least(since + HOUR_MS);
    expect(new Set(waits.map(Number)).size).to.be.greaterThan(1);
    expect(await dispatch(send)).to.have.length(1);
    expect(site.platform.calls).to.have.length(calls);
    const [count] = await rows<{ tried: number }>(
      database,
      'select count(*) filter (where attempts > 0) as tried from broadcast_task where campaign_id = :campaignId',
      { campaignId: send.campaignId },
    );
    expect(count?.tried).to.be.at.most(6);
  });

  /** Another process of the backend. */
  const otherProcess = () => testDeps(database, site.platform.baseUrl);
  const task = { serviceNumberId: 'sn-1', taskId: 't-1' };
  const broadcast = {
    name: 'n',
    channels: ['default'],
    messages: [],
    audience: { type: 'contacts' as const, contactIds: ['c'] },
    schedule: { type: 'immediate' as const },
  };
  const source = { name: 'n', reason: { type: 'activity' as const, id: 'c', data: {} }, channels: [] };
  type Call = (deps: OutreachDeps, tenantId: string) => Promise<{ kind: string }>;
  const by = ({ pacing }: OutreachDeps, tenantId: string) => pacing.credentials(tenantId);
  const everyCall: Record<string, Call> = {
    A1: (deps, tenant) =>
      deps.gateway.createBroadcast(by(deps, tenant), { serviceNumberId: 'sn-1', key: 'k', broadcast }),
    A2: (deps, tenant) => deps.gateway.readTask(by(deps, tenant), task),
    A3: (deps, tenant) => deps.gateway.cancelTask(by(deps, tenant), task),
    F1: (deps, tenant) =>
      deps.gateway.createEntrySource(by(deps, tenant), { ...source, webhook: { url: 'http://x', events: [] } }),
    F2: (deps, tenant) =>
      deps.gateway.updateEntrySource(by(deps, tenant), 's-1', { name: 'n', reason: { data: {} }, expiresAt: null }),
    F3: (deps, tenant) => deps.gateway.endEntrySource(by(deps, tenant), 's-1'),
  };

  for (const [name, asked] of Object.entries(everyCall))
    it(`A10: a 503 with Retry-After in response to ${name} pauses every call of the integration, in every process`, async () => {
      const { tenantId } = site.tenant;
      site.platform.behave(() => ({ status: 503, headers: { 'Retry-After': '60' } }));
      await asked(site.deps, tenantId);
      site.platform.behave(() => null);
      const other = otherProcess();
      for (const deps of [site.deps, other]) {
        for (const call of Object.values(everyCall))
          expect(await call(deps, tenantId)).to.include({ kind: 'retryable', code: 'paused' });
        const tested = await createPlatformTasks(deps).submitBroadcast(tenantId, 'sn-1', { key: 'test', broadcast });
        expect(tested).to.have.nested.property('problem.code', 'unavailable');
        expect(await deps.pacing.turn(tenantId)).to.equal(null);
      }
      expect(site.platform.calls).to.have.length(1);
      const unpaused = await seedTenant(database, testEncryption);
      await asked(other, unpaused.tenantId);
      expect(site.platform.calls).to.have.length(2);
      await other.close();
    });

  it('A10: a process that has not heard of a pause takes no further sub-task than the one it asks for', async () => {
    const send = await site.seedSend({ chunks: [1, 1, 1] });
    const other = otherProcess();
    site.platform.behave(() => busy);
    await everyCall['A2']?.(other, send.tenantId);
    const plan = await site.run(() => site.activities.planDispatch(send));
    expect(plan.ranges).to.have.length(1);
    const { waitUntil } = await site.submit(send);
    expect(Date.parse(waitUntil ?? '')).to.be.greaterThan(Date.now() + HOUR_MS / 2);
    expect((await readTasks(database, send)).map(({ status, attempts }) => [status, attempts])).to.deep.equal(
      send.keys.map(() => ['pending', 0]),
    );
    expect(site.platform.of('A1')).to.have.length(0);
    await other.close();
  });

  it('A10: a paused poll leaves its tasks due, and returns after the pause', async () => {
    const send = await site.seedSend({ chunks: Array.from({ length: 50 }, () => 1) });
    await site.submit(send);
    await site.due(send);
    site.platform.behave(() => busy);
    expect(await site.poll(send)).to.be.greaterThan(HOUR_MS - 60_000);
    expect(site.platform.of('A2').length).to.be.within(1, 20);
    const calls = site.platform.calls.length;
    expect(await site.poll(send)).to.be.greaterThan(HOUR_MS - 60_000);
    expect(site.platform.calls).to.have.length(calls);
  });

  it('A10: a bucket holds one second of tokens, whoever takes them, and the next come at equal distances', async () => {
    const { tenantId } = site.tenant;
    const take = (count: number) => database.transaction((transaction) => takeAll(transaction, count));
    // In a transaction the time of the database stands still.
    const takeAll = async (transaction: typeof database, count: number) => {
      const first = await takeTokens(transaction, { tenantId, count, perSecond: 50 });
      const second = await takeTokens(transaction, { tenantId, count: 10, perSecond: 50 });
      const third = await takeTokens(transaction, { tenantId, count: 1, perSecond: 50 });
      return [first, second, third].map((taken) => Math.round(taken?.firstInMs ?? NaN));
    };
    // 50 are there: the last of them comes 49 intervals after the first.
    expect(await take(50)).to.deep.equal([-980, 20, 220]);
  });

  it('A10: waits have jitter: never shorter, at most a tenth or 10 s longer, and not all the same', () => {
    const waits = Array.from({ length: 50 }, () => withJitter(10_000));
    expect(Math.min(...waits)).to.be.at.least(10_000);
    expect(Math.max(...waits)).to.be.at.most(11_000);
    expect(new Set(waits).size).to.be.greaterThan(1);
    expect(withJitter(HOUR_MS)).to.be.within(HOUR_MS, HOUR_MS + 10_000);
  });
});
