import { execFileSync } from 'node:child_process';
import { projectFolder } from '../start/services.ts';
import { changedFiles } from './occasional.ts';

interface Cruise {
  modules: { source: string }[];
}

/** Imports do not lead to what runs as built services, or in a browser: of these tests, one of each stands for all. */
const stories = ['test/end-to-end/campaign.test.ts', 'test/browser/story.test.ts', 'test/orders/with-sandbox.test.ts'];
const built = /^(activities|api|clients|db|domain|migrations|web|workflows)\//;

/**
 * The test files that import, however far away, what has changed since this commit or branch, and those that changed.
 * @throws Error if git does not know it.
 */
export function affectedTests(since: string): Set<string> {
  const cruise = ['node_modules/dependency-cruiser/bin/dependency-cruise.mjs', '--config', '.dependency-cruiser.cjs'];
  const output = execFileSync(process.execPath, [...cruise, '--affected', since, '--output-type', 'json', '.'], {
    cwd: projectFolder,
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  const { modules } = JSON.parse(output) as Cruise;
  const changed = changedFiles(since) ?? [];
  const found = [...modules.map(({ source }) => source), ...changed].filter((file) => file.endsWith('.test.ts'));
  return new Set([...found, ...(changed.some((file) => built.test(file)) ? stories : [])]);
}
