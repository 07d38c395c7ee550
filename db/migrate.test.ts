import { expect } from 'chai';
import { createDatabase, type TestDatabase } from '../test/support/servers/database.ts';
import { migrate } from './migrate.ts';

describe('migrate', () => {
  let database: TestDatabase;

  before(async () => {
    database = await createDatabase();
  });

  after(() => database.drop());

  it('has nothing left to do in a migrated database, also several times at once', async () => {
    expect(await Promise.all([migrate(database), migrate(database), migrate(database)])).to.deep.equal([[], [], []]);
  });

  it('runs each migration once when several start at once', async () => {
    const owner = database.connect('orders', 'owner');
    for (const schema of ['bff', 'outreach', 'orders']) {
      await owner.raw(`drop schema ${schema} cascade`);
      await owner.raw(`create schema ${schema}`);
    }
    const runs = await Promise.all([migrate(database), migrate(database)]);
    const ran = runs.flat();
    expect(ran).to.deep.equal([...new Set(ran)]);
    expect(runs.filter((names) => names.length === 0).length).to.be.at.least(1);
  });

  it('goes on after a migration that was killed with the lock set', async () => {
    const owner = database.connect('orders', 'owner');
    await owner.raw('update knex_migrations_lock set is_locked = 1');
    expect(await migrate(database)).to.deep.equal([]);
    expect(await owner('knex_migrations_lock').select('isLocked')).to.deep.equal([{ isLocked: 0 }]);
  });
});
