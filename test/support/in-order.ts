/**
 * Skips the rest of the suite after the first failure, because each step needs the previous one. Not mocha's `bail`:
 * that silently skips suites after a failure anywhere in the process.
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
