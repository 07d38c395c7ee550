import { expect } from 'chai';
import { pino } from 'pino';
import { join } from 'node:path';
import { ensureBuilt } from '#scripts/build/ensure.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { temporaryFolder } from '#test/support/servers/servers.ts';
import { createNamespace, type TestNamespace } from '#test/support/servers/temporal.ts';
import { makeCurrent, makeCurrentOnceReady } from './releases.ts';
import { createPolling, isPolling, openTemporal, type Polling, type Temporal } from './temporal.ts';

const taskQueue = 'outreach';

describe('releases of workers', () => {
  let server: TestNamespace;
  let temporal: Temporal;
  const workers: { polling: Polling; ended: Promise<void> }[] = [];
  /** The release of each requested batch of a run, and a function that lets its first one end. */
  const asked: { buildId: string; release: () => void }[] = [];
  /** The release of each poll of a long-lived run, and a function that ends it with a status. */
  const polls: { buildId: string; end: (status: string, done: boolean) => void }[] = [];

  before(async () => {
    await ensureBuilt(['workflow-bundle'], { logFile: join(temporaryFolder(), 'build.log') });
    server = await createNamespace();
    temporal = openTemporal({ connection: { address: server.address }, namespace: server.namespace });
  });
  after(async () => {
    for (const { polling } of workers) polling.shutdown();
    await Promise.all(workers.map(({ ended }) => ended));
    await temporal.connection.close();
    await server.close();
  });

  function work(buildId: string): void {
    const expireTagsBatch = () =>
      new Promise((resolve) => {
        const more = !asked.some((other) => other.buildId === buildId);
        asked.push({ buildId, release: () => resolve({ expired: 1, more }) });
      });
    // One poll lasts until its release is asked to end it.
    const pollTasks = () =>
      new Promise((resolve) => {
        polls.push({ buildId, end: (status, done) => resolve({ status, done }) });
      });
    const settings = { connection: { address: server.address }, namespace: server.namespace, buildId };
    const logger = pino({ level: 'silent' });
    const activities = { expireTagsBatch, pollTasks };
    const polling = createPolling({ settings, taskQueue, activities, logger });
    workers.push({ polling, ended: polling.run() });
  }

  const becomesCurrent = (buildId: string, draining?: string[]) =>
    eventually('the release is current', async () => {
      const found = await makeCurrent(temporal, { taskQueue, buildId });
      if (draining) expect(found).to.deep.equal(draining);
      return true;
    });
  const start = (workflowId: string) =>
    server.client.workflow.start('expireTemporaryTags', { workflowId, taskQueue, args: [] });
  const askedNext = (count: number) => eventually('the next batch was requested', () => asked[count - 1]);

  it('are waited for with a message, and an error that waiting does not change is reported at once', async () => {
    const reported: string[] = [];
    const release = (namespace: string) =>
      makeCurrentOnceReady(
        { ...temporal, namespace },
        { taskQueue: 'orders', buildId: '1.0' },
        { say: (line) => reported.push(line), withinMs: 1000 },
      ).then(
        () => 'current',
        (error: Error) => error.message,
      );
    expect(await release('nowhere')).to.match(/Namespace nowhere is not found/);
    expect(reported).to.deep.equal([]);
    expect(await release(server.namespace)).to.match(/no Worker Deployment found with name '?orders'?/);
    expect(reported.join('\n')).to.match(/^orders: waiting for the workers of 1\.0 … .*no Worker Deployment found/m);
    expect(new Set(reported).size, 'the same message twice').to.equal(reported.length);
  });

  it('get no work before they are current; a run stays with the release it started with', async () => {
    work('1.0');
    const first = await start('first');
    await eventually('the worker polls', () => isPolling(temporal, taskQueue).then(() => true));
    expect((await first.fetchHistory()).events?.length).to.equal(2);
    await becomesCurrent('1.0', []);
    const began = await askedNext(1);
    expect(began.buildId).to.equal('1.0');

    work('1.1');
    await becomesCurrent('1.1', ['1.0']);
    const second = await start('second');
    const other = await askedNext(2);
    expect(other.buildId).to.equal('1.1');
    began.release();
    const again = await askedNext(3);
    expect(again.buildId).to.equal('1.0');
    again.release();
    expect(await first.result()).to.deep.equal({ expired: 2 });
    other.release();
    const last = await askedNext(4);
    last.release();
    expect(await second.result()).to.deep.equal({ expired: 2 });
    expect(asked.map(({ buildId }) => buildId)).to.deep.equal(['1.0', '1.1', '1.0', '1.1']);
  });

  it('finding 7: a newer release continues a long-lived run, and a short one stays with its own', async () => {
    work('2.0');
    await becomesCurrent('2.0');
    const options = { taskQueue, args: [{ tenantId: 't', campaignId: 'c' }] };
    const long = await server.client.workflow.start('pollTaskStatus', { workflowId: 'long', ...options });
    const short = await start('short');
    const polledFirst = await eventually('the first poll', () => polls[0]);
    const batch = await askedNext(5);
    expect([polledFirst.buildId, batch.buildId]).to.deep.equal(['2.0', '2.0']);

    work('2.1');
    await becomesCurrent('2.1');
    // The task queues of server 1.32 hear of a current release shortly after it is confirmed: a task or two may still go to 2.0.
    const polledNext = await eventually('the newer release polls', () => {
      const latest = polls.at(-1);
      if (latest?.buildId === '2.1') return latest;
      latest?.end('sending', false);
      return undefined;
    });
    batch.release();
    const nextBatch = await askedNext(6);
    expect(nextBatch.buildId).to.equal('2.0');

    polledNext.end('completed', true);
    nextBatch.release();
    expect(await long.result()).to.deep.equal({ status: 'completed' });
    expect(await short.result()).to.deep.equal({ expired: 2 });
  });
});
