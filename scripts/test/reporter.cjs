// mocha's own readable report, and counts and failures as JSON for the runner to sum up.
const { writeFileSync } = require('node:fs');
const {
  reporters: { Spec },
} = require('mocha');

module.exports = class CountingSpec extends Spec {
  constructor(runner, options) {
    super(runner, options);
    const file = process.env.TEST_REPORT_FILE;
    const failed = [];
    runner.on('fail', (test, error) => failed.push(`${test.fullTitle()}: ${error?.message ?? error}`));
    runner.once('end', () => {
      const { passes = 0, failures = 0, pending = 0 } = this.stats;
      const counts = { passed: passes, failed: failures, skipped: pending };
      if (file) writeFileSync(file, JSON.stringify({ ...counts, failures: failed }));
    });
  }
};
