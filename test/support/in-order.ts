/**
 * Skips what follows the first failure in the suite, because each step needs the one before.
 * Not mocha's `bail`: that leaves a suite out, without a word, after a failure anywhere in the process.
 */
export function inOrder(suite: Mocha.Suite): void {
  let failed = false;
  suite.beforeEach(function () {
    if (failed) this.skip();
  });
  suite.afterEach(function () {
    failed ||= this.currentTest?.isFailed() ?? false;
  });
}
