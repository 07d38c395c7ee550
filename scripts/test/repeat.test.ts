import { expect } from 'chai';
import { flaky, toRepeat } from './repeat.ts';
import { type Counts, failure, merge, sumOf } from './run.ts';

const passing: Counts = { passed: 3, failed: 0, skipped: 0, failures: [] };
const browser = 'test/browser/overview.test.ts';

describe('the second attempt of a test file', () => {
  it('takes the few files that failed', () => {
    expect(toRepeat({ [browser]: failure('slow'), 'test/start/start.test.ts': passing })?.files).to.deep.equal([
      browser,
    ]);
    expect(toRepeat({ [browser]: passing })).to.equal(undefined);
  });

  it('is not given where many failed, nor to pure functions, nor to what a process did as a whole', () => {
    const many = Object.fromEntries(['a', 'b', 'c'].map((name) => [`test/browser/${name}.test.ts`, failure('slow')]));
    expect(toRepeat(many)).to.equal(undefined);
    expect(toRepeat({ 'domain/cursor.test.ts': failure('wrong') })).to.equal(undefined);
    expect(toRepeat({ [browser]: failure('slow'), browser: failure('browser: took too long') })).to.equal(undefined);
  });

  it('is not given to what looks for rare failures', () => {
    for (const path of [
      'test/crash/dispatch.test.ts',
      'test/orders/concurrency.test.ts',
      'test/isolation/tenants.test.ts',
    ])
      expect(toRepeat({ [path]: failure('lost') })).to.equal(undefined);
    const found = failure('holds: Property failed after 12 tests');
    expect(toRepeat({ [browser]: found })).to.equal(undefined);
  });

  it('names what passed then, and counts what failed again', () => {
    const first = { [browser]: failure('slow'), 'test/start/start.test.ts': failure('broken') };
    const second = { [browser]: passing, 'test/start/start.test.ts': failure('broken') };
    expect(flaky(first, second)).to.deep.equal([`${browser}: slow`]);
    expect(sumOf({ ...first, ...second })).to.deep.include({ passed: 3, failed: 1, failures: ['broken'] });
  });
});

describe('what several groups counted', () => {
  it('is added up by file', () => {
    const both = merge([{ a: passing, b: failure('first') }, { b: failure('second') }]);
    expect(both['b']).to.deep.include({ failed: 2, failures: ['first', 'second'] });
    expect(sumOf(both)).to.deep.include({ passed: 3, failed: 2 });
  });
});
