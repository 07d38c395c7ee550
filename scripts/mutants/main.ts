import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { launchPostgres } from '#test/support/servers/servers.ts';
import { elapsed } from '../start/progress.ts';
import { projectFolder } from '../start/services.ts';
import { testFiles } from '../test/files.ts';
import { mutants } from './list/index.ts';
import { forModel } from './list/model.ts';
import { describeMutant, faultOf, flat, type Mutant } from './mutant.ts';
import { type Failure, isNotice, type Result, runTests } from './run.ts';
import { copyTree } from './tree.ts';

/** Those of all tests together, and of one mutant's. */
const LIMIT_OF_ALL_MS = 3_600_000;
const LIMIT_MS = 300_000;
/** With `--model`, what the model of sends has to find is changed, in so many campaigns unless the environment says how many. */
const ofModel = process.argv.includes('--model');
const { SEND_MODEL_CAMPAIGNS: campaigns = '2000' } = process.env;
const list = ofModel ? forModel : mutants;

const began = Date.now();
const allTests = testFiles();
const testsOf = ({ tests }: Mutant): string[] =>
  allTests.filter((path) => tests.some((fragment) => path.includes(fragment)));

/** @throws Error that names each mutant that does not fit the code any more. */
function assertCurrent(): void {
  const faults = list.flatMap((mutant) => {
    const path = join(projectFolder, mutant.file);
    return faultOf(mutant, existsSync(path) ? readFileSync(path, 'utf8') : null, allTests) ?? [];
  });
  if (faults.length > 0) throw new Error(`The list of mutants is stale:\n${faults.join('\n')}`);
}

async function failuresOf(tree: string, args: string[], environment: NodeJS.ProcessEnv): Promise<Failure[]> {
  const result = await runTests(tree, args, { environment, limitMs: LIMIT_OF_ALL_MS });
  if ('broken' in result) throw new Error(`The tests do not run without a mutant: ${result.broken}`);
  return result.failures;
}

/** @throws Error if tests fail as they are: then their failures say nothing about a mutant. */
async function assertPass(tree: string, files: string[], jobs: number, environment: NodeJS.ProcessEnv): Promise<void> {
  const failures = await failuresOf(tree, ['--parallel', '--jobs', String(jobs), ...files], environment);
  const texts = failures.map(({ fullTitle, err }) => `${fullTitle}: ${err.message ?? ''}`);
  if (texts.length > 0) throw new Error(`Without a mutant, tests fail:\n${texts.join('\n')}`);
  console.log(`${files.length} test files pass without a mutant (${elapsed(began)})`);
}

/** The tests of the mutant, up to the first that fails, in a tree that is as it was again afterwards. */
async function withMutant(tree: string, mutant: Mutant, environment: NodeJS.ProcessEnv): Promise<Result> {
  const path = join(tree, mutant.file);
  const source = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    source.replace(mutant.from, () => mutant.to),
  );
  try {
    const given = ofModel ? { ...environment, SEND_MODEL_CAMPAIGNS: campaigns } : environment;
    const limitMs = ofModel ? LIMIT_OF_ALL_MS : LIMIT_MS;
    return await runTests(tree, ['--bail', ...testsOf(mutant)], { environment: given, limitMs });
  } finally {
    writeFileSync(path, source);
  }
}

/** Prints what became of the mutant. @returns whether a test noticed it. */
function report(mutant: Mutant, result: Result): boolean {
  const what = describeMutant(mutant);
  if ('broken' in result) {
    console.log(`✘ ${what}\n    its tests did not run: ${flat(result.broken)}`);
    return false;
  }
  const [failure] = result.failures;
  if (failure === undefined) {
    console.log(`✘ ${what}\n    ${mutant.why}; not noticed by ${testsOf(mutant).join(', ')}`);
    return false;
  }
  if (!isNotice(failure)) {
    console.log(`✘ ${what}\n    is no working code: ${failure.fullTitle}: ${flat(failure.err.message ?? '')}`);
    return false;
  }
  console.log(`✔ ${what} — noticed by: ${flat(failure.fullTitle)}`);
  if (ofModel) console.log(`    ${flat(failure.err.message ?? '').slice(0, 300)}`);
  return true;
}

async function main(): Promise<boolean> {
  assertCurrent();
  const fragments = process.argv.slice(2).filter((argument) => argument !== '--model');
  const chosen = list.filter(
    (mutant) =>
      fragments.length === 0 || fragments.some((part) => Object.values(mutant).some((text) => text.includes(part))),
  );
  if (chosen.length === 0) throw new Error(`No mutant holds ${fragments.join(' or ')}`);
  // A test that needs a Temporal server starts one of its own: too slow for most mutants, so few have such tests.
  const environment = { NODE_ENV: 'test', TEST_DATABASE_URL: await launchPostgres(), SEND_MODEL_CAMPAIGNS: undefined };
  const lanes = Math.min(chosen.length, Math.max(2, availableParallelism()));
  const trees = Array.from({ length: lanes }, copyTree);
  await assertPass(trees[0] ?? copyTree(), [...new Set(chosen.flatMap(testsOf))], lanes, environment);
  const left = [...chosen];
  let noticed = 0;
  const work = async (tree: string) => {
    for (let mutant = left.shift(); mutant; mutant = left.shift())
      if (report(mutant, await withMutant(tree, mutant, environment))) noticed += 1;
  };
  await Promise.all(trees.map(work));
  console.log(`\nAll of it took ${elapsed(began)}`);
  console.log(`${noticed} noticed, ${chosen.length - noticed} not noticed`);
  return noticed === chosen.length;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));
process.once('disconnect', () => process.exit(130));

main()
  .then((passed) => process.exit(passed ? 0 : 1))
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(1);
  });
