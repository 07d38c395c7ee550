import { expect } from 'chai';
import { rows } from '#db/database.ts';
import { readTasks, type TestSend } from '#test/support/outreach/rows.ts';
import { openSendingSite, type SendingSite } from '#test/support/services/sending-site.ts';
import { delayOf } from './poll.ts';
import { nextPoll } from './report.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';

describe('polling tasks', () => {
  const database = useDatabase('outreach');
  let site: SendingSite;

  beforeEach(async () => {
    site = await openSendingSite(database);
  });
  afterEach(() => site.close());

  /** Submitted sub-tasks, due to be polled. */
  async function submitted(chunks: number[]): Promise<TestSend> {
    const send = await site.seedSend({ chunks });
    await site.submit(send);
    await due(send);
    return send;
  }

  const due = (send: TestSend) => site.due(send);
  const poll: SendingSite['poll'] = (...given) => site.poll(...given);

  const report = (status: string, sent = 0, read = 0) => ({
    status: 200,
    body: { status, recipientCount: 4, summary: { sent, delivered: sent, failed: 0, read } },
  });

  it('follows the tasks to their end, then polls slowly for the reads', async () => {
    const send = await submitted([4]);
    const startedAt = '2026-03-01T10:00:00.000Z';
    site.platform.behave(() => ({ status: 200, body: { ...report('sending', 2).body, startedAt } }));
    const delay = await poll(send);
    expect(delay).to.be.within(10, 40);
    const started = 'select started_at as at from campaign where campaign_id = :campaignId';
    expect(
      (await rows<{ at: Date }>(database, started, { campaignId: send.campaignId }))[0]?.at.toISOString(),
    ).to.equal(startedAt);
    await due(send);
    site.platform.behave(() => report('completed', 4, 1));
    expect(await poll(send)).to.deep.equal({ status: 'completed', done: false });
    expect((await readTasks(database, send))[0]).to.include({ status: 'completed', sent: 4, read: 1 });
    expect(await poll(send, 'completed')).to.be.within(10_000, 60_000);
    await due(send);
    site.platform.behave(() => report('completed', 4, 3));
    expect(await poll(send, 'completed')).to.be.within(60_001, 120_000);
    expect((await readTasks(database, send))[0]).to.include({ status: 'completed', read: 3 });
    await rows(database, 'update broadcast_task set poll_until = now() where campaign_id = :campaignId', {
      campaignId: send.campaignId,
    });
    await due(send);
    expect(await poll(send, 'completed')).to.deep.equal({ status: 'completed', done: true });
  });

  it('keeps the counts that a later response omits, and still waits for the reads', async () => {
    const send = await submitted([4]);
    const silent = await submitted([4]);
    site.platform.behave(() => report('sending', 3, 2));
    await poll(send);
    for (const summary of [null, undefined, { sent: 4, delivered: null }, { read: 3_000_000_000 }]) {
      await due(send);
      site.platform.behave(() => ({ status: 200, body: { status: 'sending', summary } }));
      await poll(send);
    }
    const [task] = await readTasks(database, send);
    expect(task).to.include({ sent: 4, read: 2 });
    site.platform.behave(() => ({ status: 200, body: { status: 'completed' } }));
    await poll(silent);
    expect(await poll(silent, 'completed')).to.be.within(10_000, 60_000);
  });

  it('never reverts a final status', async () => {
    const send = await submitted([1]);
    await poll(send);
    await due(send);
    site.platform.behave(() => report('sending'));
    await poll(send, 'completed');
    expect((await readTasks(database, send))[0]?.status).to.equal('completed');
  });

  it('retries after Retry-After, and polls later if there is no response', async () => {
    const send = await submitted([1]);
    site.platform.behave(() => ({ status: 429, headers: { 'Retry-After': '70' } }));
    expect(await poll(send)).to.be.within(69_000, 78_000);
    expect((await readTasks(database, send))[0]).to.include({ status: 'sending', errorCode: null });
    await site.close();
    site = await openSendingSite(database);
    const other = await submitted([1]);
    site.platform.behave(() => 'reset');
    expect(await poll(other)).to.be.within(10, 200);
    expect((await readTasks(database, other))[0]).to.include({ status: 'sending', errorCode: null });
  });

  it('polls nothing for an uninstalled tenant', async () => {
    const send = await submitted([1]);
    await rows(database, `update tenant_integration set status = 'UNINSTALLED' where tenant_id = :tenantId`, {
      tenantId: send.tenantId,
    });
    expect(await poll(send)).to.deep.equal({ status: 'sending', done: true });
    expect(site.platform.of('A2')).to.have.length(0);
  });

  it('cancels scheduled tasks at the platform until it has said yes or no', async () => {
    const at = new Date(Date.now() + 60_000);
    const send = await site.seedSend({ chunks: [1, 1], at });
    await site.submit(send);
    await rows(database, 'update campaign set cancel_requested = true where campaign_id = :campaignId', {
      campaignId: send.campaignId,
    });
    site.platform.behave(({ route, path, earlier }) => {
      if (route !== 'A3') return report('sending');
      if (path.includes(send.keys[1] ?? '')) return { status: 409, body: { code: 'not_scheduled', status: 'sending' } };
      return earlier === 0 ? 'reset' : null;
    });
    expect(await poll(send, 'scheduled')).to.deep.equal({ status: 'sending', done: false });
    await rows(
      database,
      `update broadcast_task set next_attempt_at = now() - interval '1 second' where next_attempt_at is not null`,
      {},
    );
    await poll(send);
    expect((await readTasks(database, send)).map(({ status }) => status)).to.deep.equal(['cancelled', 'sending']);
    await due(send);
    site.platform.behave(() => report('completed', 1));
    expect(await poll(send)).to.deep.equal({ status: 'cancelled', done: false });
  });

  it('waits for whatever is due first', () => {
    const now = new Date();
    const state = {
      status: 'sending' as const,
      nextPollAt: new Date(now.getTime() + 500),
      unsettled: 0,
      pacedUntil: null,
      unknown: 0,
      edited: false,
      cancelling: 0,
      startsAt: null,
      active: true,
    };
    const wait = (more: object) => delayOf({ ...state, ...more }, { now, firstIntervalMs: 100 });
    expect(wait({})).to.equal(500);
    expect(wait({ unsettled: 1 })).to.equal(100);
    const paced = (minutes: number, more: object) =>
      wait({ unsettled: 1, pacedUntil: new Date(now.getTime() + minutes * 60_000), ...more });
    expect(paced(5, {})).to.equal(500);
    expect(paced(5, { nextPollAt: null })).to.equal(300_100);
    expect(paced(600, { nextPollAt: null })).to.equal(900_000);
    expect(paced(600, { nextPollAt: null, status: 'scheduled' })).to.equal(900_000);
    expect(paced(600, { nextPollAt: null, status: 'paused' })).to.equal(60_000);
    expect(wait({ nextPollAt: null, unknown: 1 })).to.equal(60_000);
    expect(wait({ nextPollAt: null })).to.equal(null);
    expect(wait({ status: 'scheduled', startsAt: new Date(now.getTime() + 200) })).to.equal(200);
  });

  it('doubles up to a minute while open, and up to an hour after the end', () => {
    const now = new Date();
    const grow = (status: 'sending' | 'completed', from: number | null, times: number) =>
      Array.from({ length: times }).reduce<number[]>((seen) => {
        const pollUntil = seen.length > 0 && status === 'completed' ? new Date(now.getTime() + 86_400_000) : null;
        const task = { pollIntervalMs: seen.at(-1) ?? from, pollUntil };
        const next = nextPoll(task, { status, finishedAt: now }, { now, firstIntervalMs: 2000 });
        return [...seen, next.pollIntervalMs];
      }, []);
    expect(grow('sending', 2000, 6)).to.deep.equal([4000, 8000, 16_000, 32_000, 60_000, 60_000]);
    expect(grow('sending', null, 1)).to.deep.equal([2000]);
    expect(grow('completed', 2000, 8).at(-1)).to.equal(3_600_000);
  });
});
