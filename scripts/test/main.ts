import { join } from 'node:path';
import { ensureBuilt, type TargetName } from '../build/ensure.ts';
import { elapsed } from '../start/progress.ts';
import { launchPostgres, launchTemporal, temporaryFolder } from '#test/support/servers/servers.ts';
import { serviceTargets } from '../start/services.ts';
import { affectedTests } from './affected.ts';
import { isBrowserTest, testFiles } from './files.ts';
import { fetchNotes, FORMATTED, kept, leaveNotes, TYPES, TYPES_OF_THE_CONSOLE } from './kept.ts';
import { changedFiles, extentOf } from './occasional.ts';
import { type Options, parseOptions } from './options.ts';
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

/** In the order in which they run, beside the builds. */
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
];

/** Behind the builds, which take about as long less. */
const checksAfterBuilds: Check[] = [
  {
    name: 'types of the console',
    args: [bin('vue-tsc/bin/vue-tsc.js'), ...incremental(TYPES_OF_THE_CONSOLE), '-p', 'web'],
    notes: TYPES_OF_THE_CONSOLE,
  },
];

async function runChecks(checks: readonly Check[]): Promise<Counts[]> {
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

/** The servers that all files share, and the builds. */
async function prepare(files: string[], mochaOptions: string[]): Promise<Run> {
  const targets: TargetName[] = [...serviceTargets, 'sandbox', ...(files.some(isBrowserTest) ? ['web' as const] : [])];
  const [postgres, temporal] = await Promise.all([launchPostgres(), launchTemporal(), build(targets)]);
  const shared = { TEST_DATABASE_URL: postgres, TEST_TEMPORAL_ADDRESS: temporal, TEST_RUN_FOLDER: temporaryFolder() };
  const environment = { NODE_ENV: 'test', ...shared };
  return { mochaOptions, environment };
}

function printSlowest(outcome: Outcome): void {
  const slowest = Object.entries(outcome).toSorted(([, one], [, other]) => other.seconds - one.seconds);
  console.log('\nSlowest files:');
  for (const [file, { seconds }] of slowest.slice(0, SLOWEST))
    console.log(`${seconds.toFixed(0).padStart(4)} s ${file}`);
}

/** The files to run, in their order, and those of them that are run in brief. */
function chosen({ fragments, all, since, shard }: Options): { files: string[]; inBrief: string[] } {
  // Whoever names files wants all of them.
  const { leftOut, inBrief } = extentOf(all || fragments.length > 0 ? null : changedFiles(since));
  const affected = since === undefined ? null : affectedTests(since);
  const files = testFiles(fragments).filter(
    (file) => !leftOut.includes(file) && (affected === null || affected.has(file)),
  );
  const notNow = [...leftOut, ...inBrief.map((file) => `${file} (in brief)`)];
  if (notNow.length > 0) console.log(`Not affected by what changed, run by --all:\n  ${notNow.join('\n  ')}\n`);
  return { files: files.filter((_, at) => at % shard.of === shard.index - 1), inBrief };
}

async function main(options: Options): Promise<Counts> {
  const { fragments, since, shard, mochaOptions } = options;
  const { files, inBrief } = chosen(options);
  if (files.length === 0)
    return failure(
      since
        ? `No test file depends on what changed since ${since}`
        : `No test file's path holds ${fragments.join(' or ')}`,
    );
  const everything = fragments.length === 0;
  const check = (those: readonly Check[]) => (everything && shard.index === 1 ? runChecks(those) : Promise.resolve([]));
  const preparing = prepare(files, mochaOptions);
  // Before the tests, in the place of two of them: beside more processes than cores, deadlines are missed.
  const checked = await Promise.all([check(checks), preparing.then(() => check(checksAfterBuilds))]);
  const run = await preparing;
  run.environment['TEST_IN_BRIEF'] = inBrief.join(',');
  if (options.all || !everything) run.environment['TEST_WHOLE'] = 'on';
  const outcome = await runFiles(files, run);
  if (everything) printSlowest(outcome);
  return sum([...checked.flat(), ...Object.values(outcome)]);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));
process.once('disconnect', () => process.exit(130));

const { passed, failed, skipped, failures, skips } = await Promise.resolve(process.argv.slice(2))
  .then((words) => main(parseOptions(words)))
  .catch((error: unknown) => {
    console.error(error);
    return failure('The tests could not run');
  });
// Once more at the end, where a reader of a long log looks first.
for (const text of failures) console.log(`✘ ${text}`);
for (const text of skips) console.log(`- skipped: ${text}`);
// A machine of our own that lacks a program says nothing about what the program would have found.
const unproven = process.env['CI'] ? skipped : 0;
console.log(`\nAll of it took ${elapsed(began)}`);
const skippedToo = skipped > unproven ? `, ${skipped} skipped` : '';
console.log(`${passed} passed, ${failed + unproven} failed${skippedToo}`);
process.exit(failed + unproven > 0 ? 1 : 0);
