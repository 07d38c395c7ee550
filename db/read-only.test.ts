import { expect } from 'chai';
import { fixture } from '#test/support/fixtures/fixture.ts';
import { createDatabase, type TestDatabase } from '#test/support/servers/database.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { Session } from './bff/models.ts';
import { connect } from './connection.ts';
import { type Database, firstRow, ping, rows } from './database.ts';
import { isDatabaseUnavailable, isTransient, sqlStateOf } from './errors.ts';
import { preparedRows } from './prepared.ts';

describe('a database that takes no writes', () => {
  const database: TestDatabase = fixture(async () => {
    const value = await createDatabase();
    return { value, close: () => value.drop() };
  });
  const opened: Database[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((pool) => pool.destroy()));
    await setDatabase('reset');
  });

  function pool(max = 1): Database {
    const url = database.DATABASE_URL_BFF;
    const made = connect({ url, schema: 'bff', applicationName: 'reading', pool: { max } });
    opened.push(made);
    return made;
  }

  /** What new sessions of the database begin with. */
  async function setDatabase(to: 'set' | 'reset'): Promise<void> {
    const name = new URL(database.DATABASE_URL).pathname.slice(1);
    const owner = connect({ url: database.DATABASE_URL, schema: 'bff', applicationName: 'owner', pool: { max: 1 } });
    await owner.transaction(async (transaction) => {
      await transaction.raw('set transaction read write');
      const value = to === 'set' ? ' = on' : '';
      await transaction.raw(`alter database ${name} ${to} default_transaction_read_only${value}`);
    });
    await owner.destroy();
  }

  const insert = `insert into nonce (tenant_integration_id, nonce) values ('read-only', gen_random_uuid())`;
  const write = (on: Database) => rows(on, insert, {});
  const pidOf = async (on: Database) =>
    (await firstRow<{ pid: number }>(on, 'select pg_backend_pid() as pid', {}))?.pid;
  const stateOf = (work: Promise<unknown>) => work.then(() => 'written', sqlStateOf);

  /** The session of a pool's only connection takes no more writes, as all of a server do that is demoted or full. */
  async function madeReadOnly(): Promise<{ reading: Database; pid: number | undefined }> {
    const reading = pool();
    await reading.raw('set default_transaction_read_only = on');
    return { reading, pid: await pidOf(reading) };
  }

  const ways: [string, (on: Database) => Promise<unknown>][] = [
    ['a statement', write],
    ['a query of a model', async (on) => Session.query(on).delete().whereRaw('false')],
    ['a prepared statement', (on) => preparedRows(on, { name: 'a write', sql: insert }, {})],
    ['a transaction', (on) => on.transaction(write)],
    ['a savepoint', (on) => on.transaction((transaction) => transaction.transaction(write))],
  ];
  for (const [what, attempt] of ways)
    it(`is unavailable, and the connection is ended on which ${what} was refused`, async () => {
      const { reading, pid } = await madeReadOnly();
      const refused: unknown = await attempt(reading).catch((error: unknown) => error);
      expect([sqlStateOf(refused), isDatabaseUnavailable(refused), isTransient(refused)]).to.deep.equal([
        '25006',
        true,
        true,
      ]);
      await attempt(reading);
      const owner = database.connect('bff', 'owner');
      await eventually('the connection is ended', async () => {
        const found = await firstRow(owner, 'select from pg_stat_activity where pid = :pid', { pid: pid ?? 0 });
        return found === null;
      });
    });

  it('is read, and not ready; connections opened meanwhile write within 10 s after it takes writes again', async () => {
    await setDatabase('set');
    const reading = pool(5);
    /** In each of the pool's connections. */
    async function inEach<Result>(work: (on: Database) => Promise<Result>): Promise<Result[]> {
      const transactions = await Promise.all(Array.from({ length: 5 }, () => reading.transaction()));
      const results = await Promise.all(transactions.map(work));
      await Promise.all(transactions.map((transaction) => transaction.commit()));
      return results;
    }
    expect(new Set(await inEach(pidOf)).size).to.equal(5);
    const unready: unknown = await ping(reading, 'nonce').catch((error: unknown) => error);
    expect(unready).to.be.an('error').with.property('message', 'the database takes no writes');
    expect(await stateOf(write(reading))).to.equal('25006');

    expect(new Set(await inEach(pidOf)).size).to.equal(5);
    await setDatabase('reset');
    const isReadOnly = (on: Database) =>
      on.raw('show transaction_read_only').then(({ rows: [row] }) => row.transactionReadOnly);
    const areWriting = async () => (await inEach(isReadOnly)).every((setting) => setting === 'off');
    await eventually('no connection is left that only reads', areWriting, { timeoutMs: 10_000 });
    await inEach(write);
    await ping(reading, 'nonce');
  });

  it('is noticed by connections from before, once a new one finds that it takes none', async () => {
    const reading = pool(2);
    const before = await pidOf(reading);
    await setDatabase('set');
    expect([await pidOf(reading), await stateOf(write(reading))]).to.deep.equal([before, 'written']);
    const both = await Promise.all([reading.transaction(), reading.transaction()]);
    await Promise.all(both.map((transaction) => transaction.commit()));
    await eventually('it is not ready', () =>
      ping(reading, 'nonce').then(
        () => false,
        () => true,
      ),
    );
    expect(await stateOf(write(reading))).to.equal('25006');
  });
});
