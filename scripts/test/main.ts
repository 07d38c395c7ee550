import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { ensureBuilt, type TargetName } from '../build/ensure.ts';
import { elapsed } from '../start/progress.ts';
import { launchPostgres, launchTemporal, temporaryFolder } from '../../test/support/servers/servers.ts';
import { serviceTargets } from '../start/services.ts';
import { isBrowserTest, testFiles } from './files.ts';
import { fetchNotes, FORMATTED, kept, leaveNotes, TYPES, TYPES_OF_THE_CONSOLE } from './kept.ts';
import { toRepeat } from './repeat.ts';
import { type Counts, failure, type Outcome, type Run, runCheck, runFiles, sum } from './run.ts';

const SLOWEST = 10;
const began = Date.now();
const bin = (path: string) => `node_modules/${path}`;

interface Check {
  name: string;
  args: string[];
  /** The file of its notes on unchanged files, see `kept`. */
  notes?: string;
}

const incremental = (notes: string) => ['--noEmit', '--incremental', '--tsBuildInfoFile', kept(notes)];

const checks: Check[] = [
  { name: 'lint', args: [bin('oxlint/bin/oxlint'), '--deny-warnings'] },
  { name: 'format', args: ['--import', 'tsx', 'scripts/test/format.ts'], notes: FORMATTED },
  {
    name: 'imports',
    args: [bin('dependency-cruiser/bin/dependency-cruise.mjs'), '--config', '.dependency-cruiser.cjs', '.'],
  },
  { name: 'links', args: ['--import', 'tsx', 'scripts/test/links.ts'] },
  { name: 'specification', args: ['--import', 'tsx', 'scripts/specification.ts', '--check'] },
  { name: 'types', args: [bin('typescript/bin/tsc'), ...incremental(TYPES)], notes: TYPES },
  {
    name: 'types of the console',
    args: [bin('vue-tsc/bin/vue-tsc.js'), ...incremental(TYPES_OF_THE_CONSOLE), '-p', 'web'],
    notes: TYPES_OF_THE_CONSOLE,
  },
];

async function runChecks(): Promise<Counts[]> {
  const results: Counts[] = [];
  for (const { name, args, notes } of checks) {
    if (notes) fetchNotes(notes);
    results.push(await runCheck(name, args));
    if (notes) leaveNotes(notes);
  }
  return results;
}

/** Builds once for all files; without the builds most tests still make sense. */
const build = (targets: TargetName[]): Promise<void> =>
  ensureBuilt(targets, { logFile: join(temporaryFolder(), 'build.log') }).catch((error: unknown) => {
    console.log(error instanceof Error ? error.message : String(error));
  });

/** The servers that all files share, and the builds. A job per core: with more, deadlines are missed on a busy machine. */
async function prepare(files: string[], mochaOptions: string[]): Promise<Run> {
  const targets: TargetName[] = [...serviceTargets, 'sandbox', ...(files.some(isBrowserTest) ? ['web' as const] : [])];
  const [postgres, temporal] = await Promise.all([launchPostgres(), launchTemporal(), build(targets)]);
  const environment = { NODE_ENV: 'test', TEST_DATABASE_URL: postgres, TEST_TEMPORAL_ADDRESS: temporal };
  return { jobs: Math.max(2, availableParallelism()), mochaOptions, environment };
}

/** What fails by a slow moment of the machine passes when it is run again, alone, and is named as having needed that. */
async function runAgain(outcome: Outcome, run: Run): Promise<Outcome> {
  const all = { ...outcome };
  for (const [file, times] of toRepeat(outcome)) {
    let again: Outcome = {};
    for (let count = 0; count < times && sum(Object.values(again)).failed === 0; count += 1)
      again = await runFiles([file], { ...run, jobs: 1 });
    all[file] = sum(Object.values(again));
    if (all[file].failed > 0) continue;
    for (const text of outcome[file]?.failures ?? []) console.log(`⚠ flaky, passed when repeated: ${file}: ${text}`);
  }
  return all;
}

function printSlowest(outcome: Outcome): void {
  const slowest = Object.entries(outcome).toSorted(([, one], [, other]) => other.seconds - one.seconds);
  console.log('\nSlowest files:');
  for (const [file, { seconds }] of slowest.slice(0, SLOWEST))
    console.log(`${seconds.toFixed(0).padStart(4)} s ${file}`);
}

async function main(): Promise<Counts> {
  const given = process.argv.slice(2);
  const fragments = given.filter((word) => !word.startsWith('-'));
  const files = testFiles(fragments);
  if (files.length === 0) return failure(`No test file's path holds ${fragments.join(' or ')}`);
  const all = fragments.length === 0;
  const checked = all ? runChecks() : Promise.resolve([]);
  const run = await prepare(
    files,
    given.filter((word) => word.startsWith('-')),
  );
  const outcome = await runFiles(files, run);
  if (all) printSlowest(outcome);
  const final = all ? await runAgain(outcome, run) : outcome;
  return sum([...(await checked), ...Object.values(final)]);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));
process.once('disconnect', () => process.exit(130));

const { passed, failed, skipped, failures } = await main().catch((error: unknown) => {
  console.error(error);
  return failure('The tests could not run');
});
// Once more at the end, where a reader of a long log looks first.
for (const text of failures) console.log(`✘ ${text}`);
console.log(`\nAll of it took ${elapsed(began)}`);
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exit(failed > 0 ? 1 : 0);
