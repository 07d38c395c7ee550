import { execFileSync } from 'node:child_process';
import { projectFolder } from '../start/services.ts';

const starting = ['package.json', 'package-lock.json', 'scripts/install.mjs', 'scripts/start', 'scripts/build/'];
const alerts = ['ops/prometheus/', 'api/', 'docs/runbook.md'];
const images = ['Dockerfile', '.dockerignore', 'compose.yaml', 'scripts/image/', 'scripts/build/', 'package-lock.json'];
/** All that the services are made of, and what stands in for the platform. */
const stack = [
  'activities/',
  'api/',
  'clients/',
  'commands/',
  'db/',
  'domain/',
  'migrations/',
  'sandbox/',
  'scripts/build/',
  'scripts/start/',
  'workflows/',
  'temporal.config.ts',
  'package-lock.json',
];
const serving = ['api/', 'clients/', 'package-lock.json'];
const sends = [
  'activities/outreach/',
  'commands/outreach/',
  'db/outreach/',
  'workflows/outreach/',
  'clients/',
  'api/runtime/',
];
const payments = ['activities/orders/', 'db/orders/', 'workflows/orders/', 'clients/', 'api/runtime/'];

interface Occasional {
  file: string;
  /** The beginnings of the paths whose change makes it run. */
  when: readonly string[];
  /** It has a part that is cheap enough for each run (`test/support/extent.ts`). */
  brief?: true;
}

/**
 * Files that take long and prove what few changes can break, or what only a change of the services can. Of those without a brief
 * part, each run has what `test/crash/dispatch`, `db/outreach/sends` (restoring) and every test that starts the built services
 * prove.
 */
const occasional: readonly Occasional[] = [
  { file: 'bench/variants/simulation.test.ts', when: ['bench/', 'domain/campaigns/'] },
  {
    file: 'scripts/new-workflow/generate.test.ts',
    when: [
      'scripts/new-workflow/',
      'workflows/types.ts',
      'workflows/index.ts',
      'temporal.config.ts',
      'test/support/fixtures/',
    ],
  },
  { file: 'scripts/replay/replay.test.ts', when: ['scripts/replay/', 'workflows/', 'temporal.config.ts'] },
  {
    file: 'test/adoption/started-copy.test.ts',
    when: ['scripts/adopt/', 'db/place.ts', 'api/runtime/', 'migrations/'],
  },
  { file: 'test/alerts/outreach.test.ts', when: alerts, brief: true },
  { file: 'test/alerts/worker.test.ts', when: [...alerts, 'db/recurring/'] },
  { file: 'test/bench/benches.test.ts', when: ['bench/'], brief: true },
  { file: 'test/browser/api-documents.test.ts', when: ['api/http/', 'package-lock.json'], brief: true },
  { file: 'test/browser/every-page.test.ts', when: ['web/', 'package-lock.json'], brief: true },
  { file: 'test/browser/page-requests.test.ts', when: ['web/', 'api/bff/', 'package-lock.json'], brief: true },
  {
    file: 'test/browser/tasks.test.ts',
    when: [...stack, 'web/', 'scripts/demo', 'test/support/tasks/'],
  },
  { file: 'test/crash/everything.test.ts', when: [...stack, 'test/crash/'] },
  { file: 'test/crash/shutdown.test.ts', when: [...stack, 'test/crash/'] },
  { file: 'test/crash/steps.test.ts', when: stack },
  { file: 'test/machines/killed.test.ts', when: [...sends, 'test/machines/'] },
  { file: 'test/machines/rolling.test.ts', when: [...sends, 'test/machines/'] },
  { file: 'test/orders/crash.test.ts', when: payments, brief: true },
  { file: 'test/orders/mixed-load/mixed-load.test.ts', when: [...payments, 'bench/', 'test/orders/'], brief: true },
  {
    file: 'test/automations/simulation/simulation.test.ts',
    when: ['activities/outreach/', 'commands/outreach/', 'db/outreach/', 'domain/', 'migrations/', 'test/automations/'],
  },
  {
    file: 'test/past/simulation/simulation.test.ts',
    when: ['commands/outreach/', 'db/outreach/', 'migrations/', 'test/past/'],
    brief: true,
  },
  {
    file: 'test/replay/replay.test.ts',
    when: [
      'workflows/',
      'domain/',
      'api/runtime/',
      'scripts/build/',
      'temporal.config.ts',
      'package-lock.json',
      'test/histories/',
      'test/replay/',
    ],
  },
  {
    file: 'test/restore/restore.test.ts',
    when: ['scripts/adopt/', 'scripts/restored/', 'commands/', 'db/', 'migrations/'],
  },
  { file: 'test/rules/pre-commit.test.ts', when: ['scripts/', 'web/tsconfig', 'tsconfig', 'package-lock.json'] },
  { file: 'test/scale/million.test.ts', when: sends, brief: true },
  { file: 'test/security/hostile-bodies.test.ts', when: serving, brief: true },
  { file: 'test/security/memory.test.ts', when: [...serving, 'commands/bff/', 'db/bff/'] },
  { file: 'test/security/schemathesis.test.ts', when: [] },
  { file: 'test/security/slow-clients.test.ts', when: stack },
  { file: 'test/sends/forecast.test.ts', when: stack },
  { file: 'test/sends/matrix.test.ts', when: [...stack, 'docs/sends.md', 'test/support/'] },
  { file: 'test/start/chart.test.ts', when: ['ops/'], brief: true },
  { file: 'test/start/dev.test.ts', when: [...starting, 'scripts/dev', 'web/vite.config.ts'] },
  { file: 'test/start/idle-day.test.ts', when: stack },
  { file: 'test/start/images.test.ts', when: images },
  { file: 'test/start/node-versions.test.ts', when: starting },
  { file: 'test/start/operations.test.ts', when: stack },
  { file: 'test/start/start.test.ts', when: [...starting, 'scripts/demo', 'sandbox/'], brief: true },
  { file: 'test/tracing/off.test.ts', when: stack },
];

const git = (...args: string[]): string[] =>
  execFileSync('git', args, { cwd: projectFolder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    .split('\n')
    .filter(Boolean);

/** The branch that changes are merged into, as far as this clone knows it. */
function main(): string {
  for (const name of ['origin/main', 'main'])
    try {
      return git('merge-base', 'HEAD', name)[0] ?? name;
    } catch {
      // This clone has no such branch.
    }
  throw new Error('There is no branch main');
}

/** Paths that differ from `since`, committed or not; null where git cannot say. */
export function changedFiles(since?: string): string[] | null {
  try {
    const base = since ? git('merge-base', 'HEAD', since)[0] : main();
    return [...git('diff', '--name-only', base ?? 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')];
  } catch (error) {
    if (since) throw error;
    return null;
  }
}

/** Which files these changes leave out, and of which they leave a part; none where `changed` is null. */
export function extentOf(changed: readonly string[] | null): { leftOut: string[]; inBrief: string[] } {
  if (changed === null) return { leftOut: [], inBrief: [] };
  const unaffected = occasional.filter(
    ({ file, when }) => !changed.some((path) => path === file || when.some((beginning) => path.startsWith(beginning))),
  );
  const filesOf = (brief: boolean) =>
    unaffected.filter((one) => (one.brief ?? false) === brief).map(({ file }) => file);
  return { leftOut: filesOf(false), inBrief: filesOf(true) };
}
