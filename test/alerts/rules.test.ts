import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { testFiles } from '#scripts/test/files.ts';
import { projectFolder } from '#scripts/start/services.ts';
import { expectFiring, promtool, rulesFile, ruleTexts, runPromtool, type Series } from '../support/alerts/promtool.ts';

const run = promisify(execFile);

/** The titles of the tests that these files register; none is run. */
async function titlesOf(files: string[]): Promise<string[]> {
  const args = ['node_modules/mocha/bin/mocha.js', '--dry-run', '--reporter=json', ...files];
  const env = { ...process.env, TEST_IN_BRIEF: '' };
  const { stdout } = await run(process.execPath, args, { cwd: projectFolder, env, maxBuffer: 64 * 1024 * 1024 });
  const { tests } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as { tests: { title: string }[] };
  return tests.map(({ title }) => title);
}

/** Counters that grow by this much a minute, for an hour. */
const growing = (rates: Record<string, number>): Series[] =>
  Object.entries(rates).map(([series, rate]) => ({
    series,
    values: Array.from({ length: 61 }, (_, minute) => minute * rate),
  }));
const pays = (rates: Record<number, number>) =>
  growing(Object.fromEntries(Object.entries(rates).map(([code, rate]) => [`orders_pays_total{code="${code}"}`, rate])));
const responses = (rates: Record<number, number>) =>
  growing(
    Object.fromEntries(
      Object.entries(rates).map(([status, rate]) => [
        `http_request_duration_seconds_count{job="orders",status="${status}"}`,
        rate,
      ]),
    ),
  );
const swept = (...kinds: string[]) =>
  growing(Object.fromEntries(kinds.map((kind) => [`sweep_actions_total{job="orders",kind="${kind}"}`, 1])));

/** One failure at the tenth minute, and little else. */
const once = (failure: string, success: string): Series[] => [
  { series: failure, values: Array.from({ length: 61 }, (_, minute) => (minute < 10 ? 0 : 1)) },
  ...growing({ [success]: 0.1 }),
];

const moments: [alert: string, what: string, series: Series[], fires: boolean][] = [
  [
    'SweepKeepsStarting',
    'campaigns end, and charges are read',
    swept('closings', 'partitions', 'sourceUpdates', 'reads', 'deliveries'),
    false,
  ],
  ['SweepKeepsStarting', 'polls get lost', swept('polls'), true],
  ['SweepKeepsStarting', 'payments get lost', swept('orders'), true],
  [
    'WorkflowTasksFail',
    'a task failed once, and its repetition went on',
    once(
      'temporal_workflow_task_execution_failed_total{job="backend",task_queue="outreach",workflow_type="pollTaskStatus"}',
      'temporal_workflow_completed_total{job="backend",task_queue="outreach",workflow_type="pollTaskStatus"}',
    ),
    false,
  ],
  [
    'ActivitiesKeepFailing',
    'one call in ten fails',
    growing({
      'temporal_activity_execution_failed_total{job="backend",activity_type="submitBroadcasts"}': 2,
      'temporal_activity_execution_latency_seconds_count{job="backend",activity_type="submitBroadcasts"}': 20,
    }),
    false,
  ],
  [
    'ActivitiesKeepFailing',
    'no slot can be registered',
    growing({
      'temporal_activity_execution_failed_total{job="bff",activity_type="registerSlot"}': 1,
      'temporal_activity_execution_latency_seconds_count{job="bff",activity_type="registerSlot"}': 1,
    }),
    true,
  ],
  ['PaysFail', 'a merchant’s shop is closed', pays({ 1000: 20, 90303: 3 }), false],
  ['PaysFail', 'the gateway rejects our key', pays({ 1000: 1, 90303: 20 }), true],
  ['PaysFail', 'the gateway is away', pays({ 1000: 20, 90304: 5 }), true],
  [
    'PaysFail',
    'one payer fails at night',
    once('orders_pays_total{code="90304"}', 'orders_pays_total{code="1000"}'),
    false,
  ],
  ['HttpErrors', 'charges are rejected', responses({ 200: 50, 502: 10 }), false],
  ['HttpErrors', 'requests fail', responses({ 200: 50, 500: 2 }), true],
  [
    'HttpErrors',
    'one request fails at night',
    once(
      'http_request_duration_seconds_count{job="orders",status="500"}',
      'http_request_duration_seconds_count{job="orders",status="200"}',
    ),
    false,
  ],
];

describe('the alerting rules', function () {
  this.timeout(120_000);

  for (const [alert, what, series, fires] of moments)
    it(`${alert} ${fires ? 'tells' : 'does not tell'} that ${what}`, async function () {
      if (promtool === null) this.skip();
      const minutes = Array.from({ length: 12 }, (_, at) => ({ minute: at * 5 + 5, fires: false }));
      await expectFiring(alert, series, fires ? [{ minute: 59, fires }] : minutes);
    });

  it('are valid for Prometheus', async function () {
    if (promtool === null) this.skip();
    await runPromtool(['check', 'rules', rulesFile]);
  });

  it('are each rehearsed', async () => {
    const titles = await titlesOf(testFiles(['test/alerts/', 'alerts.test.ts', 'test/orders/revenue']));
    const rehearsed = titles.flatMap((title) => /^(\w+) fires while its fault lasts/.exec(title)?.[1] ?? []);
    expect([...new Set(rehearsed)].toSorted()).to.deep.equal([...ruleTexts().keys()].toSorted());
  });
});
