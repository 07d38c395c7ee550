import { expect } from 'chai';
import { useTestDatabase } from '../test/support/fixtures/database.ts';
import { createDatabase } from '../test/support/servers/database.ts';
import { eventually } from '../test/support/time/eventually.ts';
import { migrate } from './migrate.ts';
import { withLock } from './provision.ts';

/** The name it had before the first release. */
const renameFirstMigration = `update orders.knex_migrations set name = '0001_orders' where name = '0001_catalogue'`;

describe('migrate', () => {
  const database = useTestDatabase();

  it('has nothing left to do in a migrated database, even several times concurrently', async () => {
    expect(await Promise.all([migrate(database), migrate(database), migrate(database)])).to.deep.equal([[], [], []]);
  });

  it('runs each migration once if several start concurrently', async () => {
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

  it('continues after a migration that was killed while it held the lock', async () => {
    const owner = database.connect('orders', 'owner');
    await owner.raw('update knex_migrations_lock set is_locked = 1');
    expect(await migrate(database)).to.deep.equal([]);
    expect(await owner('knex_migrations_lock').select('isLocked')).to.deep.equal([{ isLocked: 0 }]);
  });

  it('gives up a table that somebody holds, lets others use it meanwhile, and runs once it is free', async () => {
    const owner = database.connect('orders', 'owner');
    await owner.raw(`alter table payment_attempt drop column unanswered_since;
      alter table refund drop column unanswered_since, drop column unpaid_since; drop table recurring_run;
      delete from knex_migrations where name = '0091_standing'`);
    const holder = await owner.transaction();
    await holder.raw('lock table payment_attempt in access share mode');
    const migrating = migrate(database);
    const isWaiting = async (): Promise<boolean> => {
      const { rows } = await owner.raw<{ rows: unknown[] }>(
        `select 1 from pg_locks where relation = 'payment_attempt'::regclass and not granted and mode = 'AccessExclusiveLock'`,
      );
      return rows.length > 0;
    };
    const mayWrite = () => owner.raw(`update payment_attempt set attempt = attempt where false`);
    try {
      for (const time of ['first', 'second']) {
        await eventually(`it waits for the ${time} time`, isWaiting);
        await eventually('it has given up', async () => !(await isWaiting()));
        await mayWrite();
        expect(await owner.schema.hasTable('recurring_run'), 'nothing of it is left behind').to.equal(false);
      }
    } finally {
      await holder.rollback();
    }
    expect(await migrating).to.deep.equal(['orders/0091_standing']);
    expect(await owner.schema.hasColumn('payment_attempt', 'unanswered_since')).to.equal(true);
  });

  it('rejects a database of an earlier development version, and says what to do', async () => {
    const earlier = await createDatabase();
    try {
      await withLock(earlier.DATABASE_URL, (client) => client.query(renameFirstMigration));
      const outcome = await migrate(earlier).then(String, (error: Error) => error.message);
      expect(outcome).to.match(
        /^The database .* \(orders\/0001_orders\)[^.\n]*: delete DATA_DIR, [^.\n]*DATABASE_URL[^.\n]*$/,
      );
    } finally {
      await earlier.drop();
    }
  });
});
