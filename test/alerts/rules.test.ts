import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { testFiles } from '#scripts/test/files.ts';
import { projectFolder } from '#scripts/start/services.ts';
import { promtool, rulesFile, ruleTexts, runPromtool } from '../support/alerts/promtool.ts';

const run = promisify(execFile);

/** The titles of the tests that these files register; none is run. */
async function titlesOf(files: string[]): Promise<string[]> {
  const args = ['node_modules/mocha/bin/mocha.js', '--dry-run', '--reporter=json', ...files];
  const env = { ...process.env, TEST_IN_BRIEF: '' };
  const { stdout } = await run(process.execPath, args, { cwd: projectFolder, env, maxBuffer: 64 * 1024 * 1024 });
  const { tests } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as { tests: { title: string }[] };
  return tests.map(({ title }) => title);
}

describe('the alerting rules', function () {
  this.timeout(120_000);

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
