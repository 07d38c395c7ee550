import { expect } from 'chai';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { rows } from '../database.ts';
import { notingSome, readRuns } from './runs.ts';

describe('rounds of what workers do all the time', () => {
  const database = useDatabase('orders');
  const earlier = new Date('2026-01-01T00:00:00Z');
  beforeEach(() => rows(database, 'delete from recurring_run', {}));
  const run = async () => (await readRuns(database)).find(({ kind }) => kind === 'test');
  const age = () =>
    rows(database, 'update recurring_run set started_at = :earlier, completed_at = :earlier', { earlier });

  it('are noted with the first, and not again within ten seconds', async () => {
    const noting = notingSome(database, 'test');
    expect(await noting(() => Promise.resolve('found'))).to.equal('found');
    const first = await run();
    expect(first?.completedAt).to.be.at.least(first?.startedAt ?? new Date());
    await age();
    expect(await noting(() => Promise.resolve('more'))).to.equal('more');
    expect(await run()).to.deep.equal({ kind: 'test', startedAt: earlier, completedAt: earlier });
  });

  it('that fail have begun, and have not come to their end; the next one that is noted may', async () => {
    const noting = notingSome(database, 'test', 0);
    await noting(() => Promise.resolve());
    await age();
    const failure = await noting(() => Promise.reject(new Error('away'))).catch((error: Error) => error.message);
    expect(failure).to.equal('away');
    const failed = await run();
    expect(failed?.completedAt).to.deep.equal(earlier);
    expect(failed?.startedAt).to.be.greaterThan(earlier);
    await noting(() => Promise.resolve());
    expect((await run())?.completedAt).to.be.greaterThan(earlier);
  });
});
