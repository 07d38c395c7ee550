// mocha's own readable report, and the counts, failures and seconds of each file as JSON for the runner to sum up.
const { writeFileSync } = require('node:fs');
const { relative } = require('node:path');
const {
  reporters: { Spec },
} = require('mocha');

module.exports = class CountingSpec extends Spec {
  constructor(runner, options) {
    super(runner, options);
    const files = {};
    const of = ({ file }) => {
      const path = file ? relative(process.cwd(), file).replaceAll('\\', '/') : 'hooks of all files';
      return (files[path] ??= { passed: 0, failed: 0, skipped: 0, failures: [], skips: [], seconds: 0 });
    };
    const addTime = (runnable) => {
      // A hook of no file waits for its turn, see spare-lane.ts.
      if (runnable.file) of(runnable).seconds += (runnable.duration ?? 0) / 1000;
    };
    runner.on('pass', (test) => (of(test).passed += 1));
    runner.on('pending', (test) => {
      of(test).skipped += 1;
      of(test).skips.push(test.fullTitle());
    });
    runner.on('fail', (test, error) => {
      of(test).failed += 1;
      of(test).failures.push(`${test.fullTitle()}: ${error?.message ?? error}`);
    });
    runner.on('test end', addTime);
    runner.on('hook end', addTime);
    runner.once('end', () => {
      if (process.env.TEST_REPORT_FILE) writeFileSync(process.env.TEST_REPORT_FILE, JSON.stringify(files));
    });
  }
};
