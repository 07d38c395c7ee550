import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger, Worker } from '@temporalio/worker';
import { expect } from 'chai';
import { taskQueues, workerOptions } from '#temporal.config.ts';
import { fixture } from '#test/support/fixtures/fixture.ts';
import { createNamespace } from '#test/support/servers/temporal.ts';
import { productionBundle } from '#test/support/services/outreach-worker.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { projectFolder } from '../start/services.ts';
import { replayRuns } from './gate.ts';
import { beginningOf, reportOf } from './report.ts';

const taskQueue = taskQueues.outreach;
type WorkflowBundle = { codePath: string } | { code: string };

/** The workflows of an earlier release, in which this type did something else first. */
async function earlierRelease(): Promise<WorkflowBundle> {
  // Inside the project, so that the bundler finds the packages.
  const folder = mkdtempSync(join(projectFolder, 'dist', 'earlier-'));
  try {
    const workflowsPath = join(folder, 'index.ts');
    const source = [
      `import { sleep } from '@temporalio/workflow';`,
      `import * as present from '${join(projectFolder, 'workflows/index.ts')}';`,
      `export async function expireTemporaryTags() { await sleep(1); return await present.expireTemporaryTags(); }`,
      `export async function notOurs() { await sleep(1); }`,
    ];
    writeFileSync(workflowsPath, source.join('\n'));
    return await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What the script prints and its exit code. */
const run = (
  args: string[],
  environment: NodeJS.ProcessEnv,
  script = 'scripts/replay/main.ts',
): Promise<{ code: number; output: string }> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--import', 'tsx', script, ...args],
      { cwd: projectFolder, env: { ...process.env, ...environment } },
      (error, stdout, stderr) => resolve({ code: error ? Number(error.code ?? 1) : 0, output: `${stdout}${stderr}` }),
    );
  });

describe('npm run replay', function () {
  this.timeout(300_000);
  const server = fixture(async () => {
    const value = await createNamespace();
    return { value, close: () => value.close() };
  });

  /** Runs a worker of this release until the runs that `work` starts are as far as it says. */
  async function withWorker(workflowBundle: WorkflowBundle, work: () => Promise<void>): Promise<void> {
    const worker = await Worker.create({
      ...workerOptions,
      connection: server.nativeConnection,
      namespace: server.namespace,
      taskQueue,
      workflowBundle,
      activities: { expireTagsBatch: () => Promise.resolve({ expired: 1, more: false }) },
    });
    await worker.runUntil(work());
  }
  const execute = (type: string, workflowId: string) =>
    server.client.workflow.execute(type, { workflowId, taskQueue, args: [] });
  const listed = (count: number) =>
    eventually(`${count} runs are listed`, async () => {
      const { count: found } = await server.client.workflow.count();
      return found === count;
    });
  const replayed = async (since: Date) =>
    await replayRuns(server.client, { since, worker: { workflowBundle: await productionBundle() }, jobs: 2 });

  it('passes where every run leads to the commands that it recorded, closed or not begun', async () => {
    await withWorker(await productionBundle(), async () => {
      await execute('expireTemporaryTags', 'closed');
    });
    await server.client.workflow.start('expireTemporaryTags', { workflowId: 'waiting', taskQueue, args: [] });
    await listed(2);
    const { code, output } = await run(['--from', server.address], { TEMPORAL_NAMESPACE: server.namespace });
    expect(output).to.include('Replayed 2 runs:\n  expireTemporaryTags: 2, of which 1 go on\nAll of them replay.');
    expect(code).to.equal(0);
    await server.client.workflow.getHandle('waiting').terminate();
  });

  it('fails, and names type, id and first difference, where a run recorded something else', async () => {
    await withWorker(await earlierRelease(), async () => {
      await execute('expireTemporaryTags', 'of an earlier release');
      await execute('notOurs', 'of another application');
    });
    await listed(4);
    const { code, output } = await run(['--from', server.address], { TEMPORAL_NAMESPACE: server.namespace });
    expect(code, output).to.equal(1);
    expect(output.match(/^✘ .*$/gm)).to.have.length(1);
    expect(output).to.match(/^✘ expireTemporaryTags of an earlier release \(run [\w-]+\): .*TimerStarted/m);
    expect(output).to.include('Replayed 3 runs');
    expect(output).to.include('1 of them differ');
  });

  it('keeps such a release from becoming current', async () => {
    const environment = {
      TEMPORAL_ADDRESS: server.address,
      TEMPORAL_NAMESPACE: server.namespace,
      TEMPORAL_BUILD_ID: 'r-1',
    };
    const { code, output } = await run([], environment, 'scripts/release.ts');
    expect(output).to.include('r-1 is not current: it cannot continue what runs');
    expect(code).to.equal(1);
  });

  it('leaves out what ended before, and never what still runs', async () => {
    await server.client.workflow.start('expireTemporaryTags', { workflowId: 'running', taskQueue, args: [] });
    await listed(5);
    const inAnHour = new Date(Date.now() + 3_600_000);
    expect((await replayed(inAnHour)).map(({ workflowId }) => workflowId)).to.deep.equal(['running']);
    const anHourAgo = new Date(Date.now() - 3_600_000);
    expect((await replayed(anHourAgo)).map(({ workflowId }) => workflowId)).to.have.members([
      'closed',
      'waiting',
      'of an earlier release',
      'running',
    ]);
  });

  it('takes a length of time, and rejects what is none', () => {
    const now = new Date('2026-03-08T12:00:00Z');
    expect(beginningOf('7d', now).toISOString()).to.equal('2026-03-01T12:00:00.000Z');
    expect(beginningOf('90 minutes', now).toISOString()).to.equal('2026-03-08T10:30:00.000Z');
    for (const since of ['', 'soon', '-1d', '0']) expect(() => beginningOf(since, now), since).to.throw('--since');
  });

  it('says without a server which option is missing', async () => {
    const { code, output } = await run([], { TEMPORAL_ADDRESS: '' });
    expect(output.trim()).to.equal('--from: must name the Temporal server, as host:port');
    expect(code).to.equal(1);
  });

  it('reports nothing to replay as no difference', () => {
    expect(reportOf([])).to.equal('Replayed 0 runs:\nAll of them replay.');
  });
});
