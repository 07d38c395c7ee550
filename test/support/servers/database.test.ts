import { expect } from 'chai';
import { createDatabase, type TestDatabase } from './database.ts';

describe('a database for tests', () => {
  let database: TestDatabase;
  before(async () => {
    database = await createDatabase();
  });
  after(() => database.drop());

  it('has one pool for each role, so that a test that asks again and again takes no connections from others', async () => {
    const pools = Array.from({ length: 100 }, () => database.connect('outreach', 'owner'));
    await Promise.all(pools.map((pool) => pool.raw('select 1')));
    const { rows } = await database
      .connect('outreach', 'owner')
      .raw('select count(*)::int as open from pg_stat_activity where datname = current_database()');
    expect(rows[0].open).to.be.at.most(5);
    expect(database.connect('outreach')).to.not.equal(database.connect('outreach', 'owner'));
  });
});
