import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from '../build/ensure.ts';
import { elapsed } from '../start/progress.ts';
import { projectFolder } from '../start/services.ts';
import { launchPostgres, launchTemporal, temporaryFolder } from '../../test/support/servers/servers.ts';
import { findGroups, type Group, stagesOf } from './groups.ts';
import { alone, flaky, inARow, toRepeat } from './repeat.ts';
import { type Counts, failure, merge, type Outcome, runCheck, runGroup, sum, sumOf } from './run.ts';

const began = Date.now();
const bin = (path: string) => `node_modules/${path}`;

const checks: [string, string[]][] = [
  ['lint', [bin('oxlint/bin/oxlint'), '--deny-warnings']],
  ['format', [bin('prettier/bin/prettier.cjs'), '--check', '.']],
  ['imports', [bin('dependency-cruiser/bin/dependency-cruise.mjs'), '--config', '.dependency-cruiser.cjs', '.']],
  ['specification', ['--import', 'tsx', 'scripts/specification.ts', '--check']],
  ['types', [bin('typescript/bin/tsc'), '--noEmit']],
  ['types of the console', [bin('vue-tsc/bin/vue-tsc.js'), '--noEmit', '-p', 'web']],
];

async function runChecks(): Promise<Counts[]> {
  const results: Counts[] = [];
  for (const [name, args] of checks) {
    if (name === 'types of the console' && !existsSync(join(projectFolder, 'web/tsconfig.json'))) continue;
    results.push(await runCheck(name, args));
  }
  return results;
}

/** The servers that all groups share, and the bundle that workers run; without the bundle most tests still make sense. */
async function prepare(): Promise<NodeJS.ProcessEnv> {
  const logFile = join(temporaryFolder(), 'build.log');
  const build = ensureBuilt(['workflow-bundle'], { logFile }).catch((error: unknown) => {
    console.log(error instanceof Error ? error.message : String(error));
  });
  const [postgres, temporal] = await Promise.all([launchPostgres(), launchTemporal(), build]);
  return { NODE_ENV: 'test', TEST_DATABASE_URL: postgres, TEST_TEMPORAL_ADDRESS: temporal };
}

let prepared: Promise<NodeJS.ProcessEnv> | undefined;

async function runGroups(groups: Group[], mochaOptions: string[]): Promise<Outcome> {
  const environment = await (prepared ??= prepare());
  const results: Outcome[] = [];
  for (const stage of stagesOf(groups)) {
    const running = stage.map((group, index) => runGroup(group, { mochaOptions, environment, live: index === 0 }));
    results.push(...(await Promise.all(running)));
  }
  return merge(results);
}

/** What fails by a slow moment of the machine passes when it is repeated, and is said to have needed that. */
async function runAgain(outcome: Outcome, mochaOptions: string[]): Promise<Outcome> {
  const again: Outcome[] = [];
  for (const { file, times } of toRepeat(outcome))
    again.push(await inARow(times, () => runGroups([alone(file)], mochaOptions)));
  const second = merge(again);
  for (const text of flaky(outcome, second)) console.log(`⚠ flaky, passed when repeated: ${text}`);
  return { ...outcome, ...second };
}

async function main(): Promise<Counts> {
  const given = process.argv.slice(2);
  const filters = given.filter((word) => !word.startsWith('-'));
  const mochaOptions = given.filter((word) => word.startsWith('-'));
  const groups = findGroups(filters);
  if (groups.length === 0) return failure(`No test file's path holds ${filters.join(' or ')}`);
  if (filters.length > 0) return sumOf(await runGroups(groups, mochaOptions));
  // Checks take one core while the first groups take the other; what measures time runs after them.
  const [first, ...others] = groups;
  const checked = runChecks();
  const early = first ? await runGroups([first], mochaOptions) : {};
  const conforms = await checked;
  const tested = merge([early, await runGroups(others, mochaOptions)]);
  return sum([...conforms, sumOf(await runAgain(tested, mochaOptions))]);
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
