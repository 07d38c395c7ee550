import { expect } from 'chai';
import { connect } from '#db/connection.ts';
import { type Database, firstRow } from '#db/database.ts';
import { isBusy, sqlStateOf } from '#db/errors.ts';
import { fixture } from '#test/support/fixtures/fixture.ts';
import { createDatabase, type TestDatabase } from '#test/support/servers/database.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { openPools, poolSizes } from './pools.ts';

describe('connections of the backend', () => {
  const database: TestDatabase = fixture(async () => {
    const value = await createDatabase();
    return { value, close: () => value.drop() };
  });
  const opened: { destroy(): Promise<void> }[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one.destroy()));
  });

  const impatient = (limits: { lockMs: number; idleInTransactionMs: number }): Database => {
    const url = database.DATABASE_URL_BACKEND;
    const all = { statementMs: 60_000, ...limits };
    const pool = connect({ url, schema: 'outreach', applicationName: 'impatient', pool: { max: 1 }, limits: all });
    opened.push(pool);
    return pool;
  };

  it('are apart by who uses them: events are served while all of the API are taken', async () => {
    const pools = openPools(database.DATABASE_URL_BACKEND);
    opened.push(pools);
    const taken = await Promise.all(Array.from({ length: poolSizes.api.max }, () => pools.api.transaction()));
    try {
      expect(await firstRow(pools.intake, 'select 1 as found', {})).to.deep.equal({ found: 1 });
      expect(await firstRow(pools.worker, 'select 1 as found', {})).to.deep.equal({ found: 1 });
    } finally {
      await Promise.all(taken.map((transaction) => transaction.rollback()));
    }
  });

  it('do not wait for a row for ever, and a transaction in which nothing happens ends with its locks', async () => {
    const lock = 'select pg_advisory_xact_lock(1)';
    const holder = impatient({ lockMs: 60_000, idleInTransactionMs: 2000 });
    const waiter = impatient({ lockMs: 100, idleInTransactionMs: 60_000 });
    const idle = await holder.transaction();
    await idle.raw(lock);
    const failure: unknown = await waiter.transaction((one) => one.raw(lock)).catch((error: unknown) => error);
    expect([sqlStateOf(failure), isBusy(failure)]).to.deep.equal(['55P03', true]);
    await eventually('the lock is free', () => waiter.transaction((one) => one.raw(lock)));
    const late: unknown = await idle.raw('select 1').catch((error: unknown) => error);
    expect(late).to.be.instanceOf(Error);
    await idle.rollback().catch(() => undefined);
    expect(await firstRow(holder, 'select 1 as found', {})).to.deep.equal({ found: 1 });
  });
});
