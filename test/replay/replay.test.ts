import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger, type InjectedSinks, type ReplayResult, Worker } from '@temporalio/worker';
import type { WorkflowInfo } from '@temporalio/workflow';
import { expect } from 'chai';
import { build, type Plugin } from 'esbuild';
import { tracedWorkflowBundle } from '#scripts/build/targets.ts';
import { projectFolder } from '#scripts/start/services.ts';
import { productionBundle } from '../support/services/outreach-worker.ts';
import { quieten } from '../support/servers/temporal.ts';
import type { AskedActivity, ReplaySinks } from './observing-interceptor.ts';
import { recordedActivities, type RecordedHistory, recordedHistories } from './recorded.ts';

/** How many histories there are at least of each type: one that gets lost must not count as replayed. */
const least: Record<string, { closed: number; open: number }> = {
  aiCopywriting: { closed: 2, open: 1 },
  applyRetention: { closed: 1, open: 1 },
  checkLedger: { closed: 2, open: 1 },
  closeCampaign: { closed: 2, open: 1 },
  deleteOldPayloads: { closed: 1, open: 1 },
  dispatchCampaign: { closed: 9, open: 4 },
  driveAutomations: { closed: 1, open: 1 },
  expireTemporaryTags: { closed: 1, open: 1 },
  followSteps: { closed: 3, open: 2 },
  handleInbox: { closed: 2, open: 1 },
  installTenant: { closed: 2, open: 1 },
  payOrder: { closed: 38, open: 7 },
  pollTaskStatus: { closed: 4, open: 3 },
  reconcileCharges: { closed: 4, open: 1 },
  reconcileShops: { closed: 5, open: 2 },
  refundCharge: { closed: 1, open: 1 },
  registerSlots: { closed: 1, open: 1 },
  rotateSecret: { closed: 3, open: 0 },
  runRepeat: { closed: 1, open: 1 },
  scanNoResponse: { closed: 1, open: 1 },
  sweepOrders: { closed: 1, open: 1 },
  sweepOutreach: { closed: 1, open: 1 },
  testVariants: { closed: 3, open: 1 },
  uninstallTenant: { closed: 3, open: 1 },
  updateEntrySources: { closed: 1, open: 1 },
};

type Bundle = { codePath: string } | { code: string };

async function replay(workflowBundle: Bundle, histories: RecordedHistory[], sinks?: InjectedSinks<ReplaySinks>) {
  const results: ReplayResult[] = [];
  const given = histories.map(({ workflowId, history }) => ({ workflowId, history }));
  const options = { workflowBundle, ...(sinks ? { sinks } : {}) };
  for await (const result of Worker.runReplayHistories(options, given)) results.push(result);
  return results;
}

/** What today's code asks of each activity when all of these are replayed by one worker: starting one takes longest. */
async function askedInReplay(workflowBundle: Bundle, recordings: RecordedHistory[]) {
  const askedBy = new Map<string, AskedActivity[]>(recordings.map(({ runId }) => [runId, []]));
  expect(askedBy.size, 'different runs').to.equal(recordings.length);
  const fn = ({ runId }: WorkflowInfo, asked: AskedActivity) => void askedBy.get(runId)?.push(asked);
  await replay(workflowBundle, recordings, { replay: { activity: { fn, callDuringReplay: true } } });
  return ({ runId }: RecordedHistory) =>
    (askedBy.get(runId) ?? []).map(({ type, args }) => ({
      type,
      args: JSON.parse(JSON.stringify(args)) as unknown[],
    }));
}

/** Modules of workflows only have effects in a run: what a type does not use is left out of its bundle. */
const withoutEffects: Plugin = {
  name: 'without-effects',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.{1,2}\// }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path),
      sideEffects: false,
    })),
};

/** Whether the code of this type, by itself, makes use of what ends a run and begins another. */
async function canContinueAsNew(type: string): Promise<boolean> {
  const { outputFiles } = await build({
    stdin: { contents: `export { ${type} } from './workflows/types.ts'`, resolveDir: projectFolder },
    bundle: true,
    format: 'esm',
    packages: 'external',
    plugins: [withoutEffects],
    write: false,
  });
  return outputFiles.some(({ text }) => /\bcontinueAsNew\b/.test(text));
}

const logger = new DefaultLogger('ERROR');
const realWorkflows = join(projectFolder, 'workflows/index.ts');

describe('recorded histories', function () {
  this.timeout(300_000);
  let production: Bundle;
  let folder: string;

  before(async () => {
    quieten();
    production = await productionBundle();
    // Inside the project, so that the bundler finds the packages.
    folder = mkdtempSync(join(projectFolder, 'dist', 'replay-'));
  });
  after(() => folder && rmSync(folder, { recursive: true, force: true }));

  /** A bundle of different code under the same names. */
  async function bundleOf(source: string): Promise<Bundle> {
    const workflowsPath = join(folder, 'index.ts');
    writeFileSync(workflowsPath, source);
    return await bundleWorkflowCode({ workflowsPath, logger });
  }

  it('exist for every workflow that workers run', async () => {
    const workflows = await import('#workflows/index.ts');
    expect(Object.keys(workflows).toSorted()).to.deep.equal(Object.keys(least).toSorted());
    for (const [type, counts] of Object.entries(least))
      for (const [state, count] of Object.entries(counts)) {
        const found = recordedHistories.filter((one) => one.type === type && one.state === state);
        expect(found, `${type}, ${state}`).to.have.length.of.at.least(count);
      }
  });

  it('exist of a run that continued as new for every workflow that can', async () => {
    const types = Object.keys(least);
    const able = await Promise.all(types.map(canContinueAsNew));
    const continued = new Set(recordedHistories.flatMap(({ type, state }) => (state === 'continued' ? [type] : [])));
    expect([...continued].toSorted()).to.deep.equal(types.filter((_, index) => able[index]).toSorted());
  });

  it('all replay with the production bundle', async () => {
    const results = await replay(production, recordedHistories);
    expect(results).to.have.length(recordedHistories.length);
    expect(
      results.flatMap(({ workflowId, error }) => (error ? [`${workflowId}: ${error.message}`] : [])),
    ).to.deep.equal([]);
    process.stderr.write(`      ${results.length} histories replayed\n`);
  });

  it('all replay with the bundle that traces runs, which may be switched on and off while they are under way', async () => {
    const results = await replay(await productionBundle(tracedWorkflowBundle), recordedHistories);
    expect(
      results.flatMap(({ workflowId, error }) => (error ? [`${workflowId}: ${error.message}`] : [])),
    ).to.deep.equal([]);
  });

  it('pass the same arguments to every activity as when they were recorded', async () => {
    const observing = await bundleWorkflowCode({
      workflowsPath: realWorkflows,
      workflowInterceptorModules: [join(projectFolder, 'test/replay/observing-interceptor.ts')],
      logger,
    });
    // Some runs were recorded twice, open and closed.
    for (const isOpen of [false, true]) {
      const recordings = recordedHistories.filter(({ state }) => (state === 'open') === isOpen);
      const asked = await askedInReplay(observing, recordings);
      for (const recorded of recordings) {
        const before = recordedActivities(recorded);
        // The history of an open run does not yet contain what it scheduled after the last recorded task.
        const today = asked(recorded).slice(0, before.length);
        expect(today, recorded.name).to.deep.equal(before);
      }
    }
  });

  it('fail with a workflow that does something else first', async () => {
    const changed = await bundleOf(
      [
        `import { sleep } from '@temporalio/workflow';`,
        `import * as original from '${realWorkflows}';`,
        ...Object.keys(least).map(
          (type) =>
            `export async function ${type}(...given: unknown[]) { await sleep(1000); return (original.${type} as Function)(...given); }`,
        ),
      ].join('\n'),
    );
    const results = await replay(changed, recordedHistories);
    expect(results).to.have.length(recordedHistories.length);
    const passed = results.flatMap(({ workflowId, error }) => (error ? [] : [workflowId]));
    expect(passed).to.deep.equal([]);
    for (const { error } of results) expect(error?.message).to.match(/nondeterminism|determinism/i);
  });

  it('fail with a workflow that does less', async () => {
    const shortened = await bundleOf(
      `export async function dispatchCampaign() { return { heldBack: 0 }; }\nexport async function pollTaskStatus() { return { status: null }; }`,
    );
    const concerned = recordedHistories.filter(({ type }) => type === 'dispatchCampaign' || type === 'pollTaskStatus');
    const results = await replay(shortened, concerned);
    expect(results.every(({ error }) => error !== undefined)).to.equal(true);
    expect(results).to.have.length(concerned.length);
  });
});
