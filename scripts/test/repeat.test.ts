import { expect } from 'chai';
import { flaky, inARow, toRepeat } from './repeat.ts';
import { type Counts, failure, merge, type Outcome, sumOf } from './run.ts';

const passing: Counts = { passed: 3, failed: 0, skipped: 0, failures: [] };
const browser = 'test/browser/overview.test.ts';

describe('the repetition of a test file that failed', () => {
  it('takes the few files that failed', () => {
    const outcome = { [browser]: failure('slow'), 'test/start/start.test.ts': passing };
    expect(toRepeat(outcome)).to.deep.equal([{ file: browser, times: 1 }]);
    expect(toRepeat({ [browser]: passing })).to.deep.equal([]);
  });

  it('asks three passes in a row where a defect may show only now and then', () => {
    for (const file of [
      'test/crash/dispatch.test.ts',
      'test/orders/crash.test.ts',
      'api/bff/inbound/webhook.test.ts',
      'activities/outreach/polling.test.ts',
      'scripts/migrate.test.ts',
      'sandbox/main.test.ts',
    ])
      expect(toRepeat({ [file]: failure('slow') })).to.deep.equal([{ file, times: 3 }]);
    const both = { [browser]: failure('slow'), 'sandbox/main.test.ts': failure('slow') };
    expect(toRepeat(both).map(({ times }) => times)).to.deep.equal([1, 3]);
  });

  it('is not given where many failed, nor to what a process did as a whole', () => {
    const many = Object.fromEntries(['a', 'b', 'c'].map((name) => [`test/browser/${name}.test.ts`, failure('slow')]));
    expect(toRepeat(many)).to.deep.equal([]);
    expect(toRepeat({ [browser]: failure('slow'), browser: failure('browser: took too long') })).to.deep.equal([]);
  });

  it('is not given to what looks for rare failures, nor to pure functions, nor to another file beside one of them', () => {
    for (const path of [
      'domain/cursor.test.ts',
      'db/outreach/repositories.test.ts',
      'workflows/outreach/poll-task-status.test.ts',
      'test/orders/concurrency.test.ts',
      'test/isolation/two-tenants.test.ts',
      'test/replay/replay.test.ts',
    ]) {
      expect(toRepeat({ [path]: failure('lost') }), path).to.deep.equal([]);
      expect(toRepeat({ [browser]: failure('slow'), [path]: failure('lost') }), path).to.deep.equal([]);
    }
    const found = failure('holds: Property failed after 12 tests');
    for (const path of [browser, 'api/orders/described.test.ts'])
      expect(toRepeat({ [path]: found }), path).to.deep.equal([]);
  });

  it('counts only where every run of it passes', async () => {
    const runsOf = async (times: number, counts: Counts[]): Promise<[number, Outcome]> => {
      let runs = 0;
      const last = await inARow(times, () => Promise.resolve({ file: counts[runs++] ?? failure('no such run') }));
      return [runs, last];
    };
    expect(await runsOf(1, [passing])).to.deep.equal([1, { file: passing }]);
    expect(await runsOf(3, [passing, passing, passing])).to.deep.equal([3, { file: passing }]);
    const seldom = failure('lost');
    expect(await runsOf(3, [passing, seldom, passing])).to.deep.equal([2, { file: seldom }]);
    expect(await runsOf(3, [passing, passing, seldom])).to.deep.equal([3, { file: seldom }]);
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
