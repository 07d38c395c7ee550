import { expect } from 'chai';
import { useDatabase } from '#test/support/fixtures/database.ts';
import { markLease, takeAbandoned, takeLease } from './lease.ts';

describe('the lease of a partition', () => {
  const database = useDatabase('outreach');
  beforeEach(() => database('inbox_lease').delete());

  const holders = async () => await database('inbox_lease').orderBy('partition').select('holder', 'state');
  const expire = () => database('inbox_lease').update({ expires_at: database.raw(`now() - interval '1 second'`) });

  it('is changed only by whoever holds it', async () => {
    await takeLease(database, { partition: 0, holder: 'first' });
    expect(await markLease(database, { partition: 0, holder: 'first' }, 'closing')).to.equal(true);
    await takeLease(database, { partition: 0, holder: 'second' });
    expect(await markLease(database, { partition: 0, holder: 'first' }, 'free')).to.equal(false);
    expect(await holders()).to.deep.equal([{ holder: 'second', state: 'draining' }]);
  });

  it('is taken over once it has expired, unless it is free', async () => {
    for (const partition of [0, 1, 2]) await takeLease(database, { partition, holder: 'dead' });
    await markLease(database, { partition: 1, holder: 'dead' }, 'free');
    expect(await takeAbandoned(database, 'next')).to.deep.equal([]);
    await expire();
    await takeLease(database, { partition: 2, holder: 'alive' });
    expect(await takeAbandoned(database, 'next')).to.deep.equal([0]);
    expect(await holders()).to.deep.equal([
      { holder: 'next', state: 'draining' },
      { holder: 'dead', state: 'free' },
      { holder: 'alive', state: 'draining' },
    ]);
  });
});
