import { expect } from 'chai';
import { toRepeat } from './repeat.ts';
import { type Counts, failure, sum } from './run.ts';

const passing: Counts = { passed: 3, failed: 0, skipped: 0, failures: [], seconds: 1 };
const browser = 'test/browser/overview.test.ts';
const repeated = (outcome: Record<string, Counts>) => Object.fromEntries(toRepeat(outcome));

describe('the repetition of a test file that failed', () => {
  it('takes the few files that failed', () => {
    expect(repeated({ [browser]: failure('slow'), 'test/start/start.test.ts': passing })).to.deep.equal({
      [browser]: 1,
    });
    expect(repeated({ [browser]: passing })).to.deep.equal({});
  });

  it('asks three passes in a row where a defect may show only now and then', () => {
    for (const file of [
      'test/crash/dispatch.test.ts',
      'test/orders/crash.test.ts',
      'api/bff/inbound/webhook/webhook.test.ts',
      'activities/outreach/sends/poll.test.ts',
      'scripts/migrate.test.ts',
      'sandbox/main.test.ts',
    ])
      expect(repeated({ [file]: failure('slow') })).to.deep.equal({ [file]: 3 });
    const both = { [browser]: failure('slow'), 'sandbox/main.test.ts': failure('slow') };
    expect(repeated(both)).to.deep.equal({ [browser]: 1, 'sandbox/main.test.ts': 3 });
  });

  it('is not given where many failed, nor to what mocha did as a whole', () => {
    const many = Object.fromEntries(
      ['a', 'b', 'c', 'd', 'e'].map((name) => [`test/browser/${name}.test.ts`, failure('slow')]),
    );
    expect(repeated(many)).to.deep.equal({});
    expect(repeated({ [browser]: failure('slow'), mocha: failure('mocha took too long') })).to.deep.equal({});
  });

  it('is not given to what looks for rare failures, nor to pure functions, nor to another file beside one of them', () => {
    for (const path of [
      'domain/cursor.test.ts',
      'db/outreach/repositories.test.ts',
      'workflows/outreach/dispatch-campaign.test.ts',
      'test/orders/concurrency.test.ts',
      'test/orders/model/model.test.ts',
      'test/isolation/two-tenants.test.ts',
      'test/replay/replay.test.ts',
    ]) {
      expect(repeated({ [path]: failure('lost') }), path).to.deep.equal({});
      expect(repeated({ [browser]: failure('slow'), [path]: failure('lost') }), path).to.deep.equal({});
    }
    const found = failure('holds: Property failed after 12 tests');
    for (const path of [browser, 'api/orders/described.test.ts'])
      expect(repeated({ [path]: found }), path).to.deep.equal({});
  });
});

describe('what several files counted', () => {
  it('is added up', () => {
    expect(sum([passing, failure('first'), failure('second')])).to.deep.equal({
      ...passing,
      failed: 2,
      failures: ['first', 'second'],
    });
  });
});
