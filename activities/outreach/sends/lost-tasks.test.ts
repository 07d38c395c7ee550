import { expect } from 'chai';
import { firstRow, rows } from '#db/database.ts';
import { resolveSubTask } from '#commands/outreach/sends/resolve-sub-task.ts';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { readCampaign, readTasks, type TestSend } from '#test/support/outreach/rows.ts';
import { openSendingSite, type SendingSite } from '#test/support/services/sending-site.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describe('tasks that the platform does not know any more, and tasks that have ended', () => {
  const database = useDatabase('outreach');
  let site: SendingSite;
  let clock: number;

  beforeEach(async () => {
    clock = Date.now();
    site = await openSendingSite(database, { now: () => new Date(clock) });
  });
  afterEach(() => site.close());

  const notFound = () =>
    site.platform.behave(({ route }) => (route === 'A2' ? { status: 404, body: { code: 'task_not_found' } } : null));
  const reported = (status: string, summary?: object) =>
    site.platform.behave(({ route }) => (route === 'A2' ? { status: 200, body: { status, summary } } : null));

  async function submitted(options: { at?: Date } = {}): Promise<TestSend> {
    const send = await site.seedSend({ chunks: [3], ...options });
    await site.submit(send);
    return send;
  }

  const taskOf = async (send: TestSend) => {
    const [task] = await readTasks(database, send);
    if (!task) throw new Error('no sub-task');
    return task;
  };

  /** Lets time pass until the task is due, and polls. @returns the milliseconds that passed; null if it is never due. */
  async function next(send: TestSend): Promise<number | null> {
    const { nextPollAt } = await taskOf(send);
    if (!nextPollAt) return null;
    const waited = nextPollAt.getTime() - clock;
    clock = nextPollAt.getTime();
    await site.poll(send);
    return waited;
  }

  /** Polls until the task is never due again. @returns the intervals. */
  async function restOf(send: TestSend): Promise<number[]> {
    const intervals: number[] = [];
    for (let waited = await next(send); waited !== null && intervals.length < 50; waited = await next(send))
      intervals.push(waited);
    return intervals;
  }

  const slowly = (intervals: number[]) => {
    expect(intervals[0]).to.be.within(1, MINUTE);
    for (const [index, interval] of intervals.slice(1).entries())
      expect(interval, `${index}`).to.be.within(1, Math.min(2 * (intervals[index] ?? 0), 60 * MINUTE));
    const total = intervals.reduce((sum, interval) => sum + interval, 0);
    expect(total).to.be.within(DAY - 60 * MINUTE, DAY);
  };

  async function lost(options: { at?: Date } = {}): Promise<TestSend> {
    const send = await submitted(options);
    notFound();
    for (let round = 0; round < 30 && (await taskOf(send)).status !== 'unknown'; round += 1) await next(send);
    return send;
  }

  it('A2: makes an accepted task unknown after two minutes of 404, keeps its id and asks for it for a day', async () => {
    const send = await submitted();
    const { taskId } = await taskOf(send);
    notFound();
    await next(send);
    const since = clock;
    while ((await taskOf(send)).status === 'sending') {
      expect(clock - since).to.be.lessThan(2 * MINUTE);
      await next(send);
    }
    expect(clock - since).to.equal(2 * MINUTE);
    expect(await taskOf(send)).to.include({ status: 'unknown', errorCode: 'task_not_found', taskId });
    expect((await readCampaign(database, send)).status).to.equal('sending');
    slowly(await restOf(send));
    expect(await taskOf(send)).to.include({ status: 'unknown', errorCode: 'task_not_found', taskId });
    expect(site.platform.of('A1')).to.have.length(1);
  });

  it('A2: begins the two minutes anew once the platform has answered otherwise', async () => {
    const send = await submitted();
    notFound();
    for (let waited = 0; waited < MINUTE;) waited += (await next(send)) ?? 0;
    reported('sending');
    await next(send);
    notFound();
    const since = clock;
    while ((await taskOf(send)).status === 'sending') await next(send);
    expect(clock - since).to.be.at.least(2 * MINUTE);
  });

  it('A2: takes the status when the platform answers again, also after an operator said that it was not sent', async () => {
    const [first, second] = [await lost(), await lost()];
    const [key = ''] = second.keys;
    await resolveSubTask(
      database,
      { tenantId: second.tenantId, userId: 'u1', requestId: null },
      {
        campaignId: second.campaignId,
        key,
        outcome: { outcome: 'not_sent' },
        submittedBefore: new Date(clock - 20_000),
        now: new Date(clock),
      },
    );
    expect(await taskOf(second)).to.include({ status: 'rejected', errorCode: 'not_sent', taskId: `task-${key}` });
    expect((await readCampaign(database, second)).status).to.equal('failed');
    await next(second);
    expect(await taskOf(second)).to.include({ status: 'rejected', errorCode: 'not_sent' });
    reported('completed', { sent: 3, delivered: 3, failed: 0, read: 0 });
    for (const send of [first, second]) {
      await next(send);
      expect(await taskOf(send)).to.include({ status: 'completed', sent: 3, errorCode: null });
      expect((await readCampaign(database, send)).status).to.equal('completed');
    }
  });

  it('A2: keeps the error while the platform cannot be reached', async () => {
    const send = await lost();
    site.platform.behave(() => ({ status: 500 }));
    await next(send);
    expect(await taskOf(send)).to.include({ status: 'unknown', errorCode: 'task_not_found' });
  });

  it('A1: leaves counts null until the platform reports them', async () => {
    const send = await submitted();
    const counts = () =>
      firstRow(database, 'select sent, delivered, failed, read from broadcast_task where key = :key', {
        key: send.keys[0],
      });
    reported('sending');
    await next(send);
    expect(await counts()).to.deep.equal({ sent: null, delivered: null, failed: null, read: null });
    reported('failed', { sent: 0, read: null });
    await next(send);
    expect(await counts()).to.deep.equal({ sent: 0, delivered: null, failed: null, read: null });
  });

  for (const [what, summary] of Object.entries({ 'nothing sent': { sent: 0 }, 'no summary': undefined }))
    it(`A6: asks for a day after the end of a task that reports ${what}`, async () => {
      const send = await submitted();
      reported('failed', summary);
      await next(send);
      expect((await taskOf(send)).status).to.equal('failed');
      slowly(await restOf(send));
    });

  it('A6: asks for a day after a task was cancelled', async () => {
    const at = new Date(clock + 10 * MINUTE);
    const send = await submitted({ at });
    await rows(database, 'update campaign set cancel_requested = true where campaign_id = :campaignId', {
      campaignId: send.campaignId,
    });
    site.platform.behave(({ route }) => (route === 'A2' ? { status: 200, body: { status: 'cancelled' } } : null));
    await site.poll(send);
    expect((await taskOf(send)).status).to.equal('cancelled');
    slowly(await restOf(send));
  });

  it('A6: stops asking after a day even if the platform does not know the ended task', async () => {
    const send = await submitted();
    reported('completed');
    await next(send);
    notFound();
    slowly(await restOf(send));
    expect((await taskOf(send)).status).to.equal('completed');
  });

  it('A6: takes a failed task that is sent after all as sent', async () => {
    const send = await submitted();
    reported('failed', { sent: 0 });
    await next(send);
    expect((await readCampaign(database, send)).status).to.equal('failed');
    reported('sending', { sent: 1 });
    await next(send);
    expect(await taskOf(send)).to.include({ status: 'sending', sent: 1 });
    expect((await readCampaign(database, send)).status).to.equal('sending');
  });
});
