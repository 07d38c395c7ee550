import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from '../build/ensure.ts';
import { elapsed } from '../start/progress.ts';
import { projectFolder } from '../start/services.ts';
import { launchPostgres, launchTemporal, temporaryFolder } from '../../test/support/servers.ts';
import { findGroups, type Group, stagesOf } from './groups.ts';
import { type Counts, runCheck, runGroup, withFailure } from './run.ts';

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

const sum = (all: Counts[]): Counts => ({
  passed: all.reduce((total, { passed }) => total + passed, 0),
  failed: all.reduce((total, { failed }) => total + failed, 0),
  skipped: all.reduce((total, { skipped }) => total + skipped, 0),
  failures: all.flatMap(({ failures }) => failures),
});

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

async function runGroups(groups: Group[], mochaOptions: string[]): Promise<Counts[]> {
  const environment = await (prepared ??= prepare());
  const results: Counts[] = [];
  for (const stage of stagesOf(groups)) {
    const running = stage.map((group, index) => runGroup(group, { mochaOptions, environment, live: index === 0 }));
    results.push(...(await Promise.all(running)));
  }
  return results;
}

async function main(): Promise<Counts> {
  const given = process.argv.slice(2);
  const filters = given.filter((word) => !word.startsWith('-'));
  const mochaOptions = given.filter((word) => word.startsWith('-'));
  const groups = findGroups(filters);
  if (groups.length === 0) return withFailure(`No test file's path holds ${filters.join(' or ')}`);
  if (filters.length > 0) return sum(await runGroups(groups, mochaOptions));
  // Checks take one core while the first groups take the other; what measures time runs after them.
  const [first, ...others] = groups;
  const checked = runChecks();
  const early = first ? await runGroups([first], mochaOptions) : [];
  return sum([...early, ...(await checked), ...(await runGroups(others, mochaOptions))]);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));
process.once('disconnect', () => process.exit(130));

const { passed, failed, skipped, failures } = await main().catch((error: unknown) => {
  console.error(error);
  return withFailure('The tests could not run');
});
// Once more at the end, where a reader of a long log looks first.
for (const failure of failures) console.log(`✘ ${failure}`);
console.log(`\nAll of it took ${elapsed(began)}`);
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exit(failed > 0 ? 1 : 0);
