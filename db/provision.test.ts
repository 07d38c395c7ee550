import { expect } from 'chai';
import { createDatabase, type TestDatabase } from '../test/support/database.ts';
import { schemas, type Schema } from './connection.ts';
import { migrate } from './migrate.ts';
import { provision, withLock } from './provision.ts';

describe('provision', () => {
  let database: TestDatabase;

  before(async () => {
    database = await createDatabase();
    for (const schema of schemas) {
      await database.connect(schema, 'owner').raw('create table parcel (id bigserial primary key, day date)');
    }
  });

  after(() => database.drop());

  const failure = async (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'nothing failed',
      (error: { code?: string }) => error.code ?? String(error),
    );

  it('lets each role read and write its own schema', async () => {
    for (const schema of schemas) {
      const rows = await database.connect(schema)('parcel').insert({ day: '2026-02-03' }).returning(['id', 'day']);
      expect(rows).to.deep.equal([{ id: 1, day: '2026-02-03' }]);
    }
  });

  for (const schema of schemas) {
    for (const other of schemas.filter((name) => name !== schema)) {
      it(`keeps the role of ${schema} out of ${other}`, async () => {
        const pool = database.connect(schema);
        expect(await failure(pool(`${other}.parcel`).select())).to.equal('42501');
        expect(await failure(pool(`${other}.parcel`).insert({ day: null }))).to.equal('42501');
      });
    }
  }

  const forbidden: [string, (schema: Schema) => string][] = [
    ['making a table', (schema) => `create table ${schema}.other (id int)`],
    ['making a table in public', () => 'create table public.other (id int)'],
    ['changing a table', (schema) => `alter table ${schema}.parcel add column other int`],
    ['emptying a table past its triggers', (schema) => `truncate ${schema}.parcel`],
    ['making a schema', () => 'create schema other'],
    ['making a role', () => 'create role other'],
    ['rewriting the history of migrations', (schema) => `delete from ${schema}.knex_migrations`],
  ];
  for (const [what, statement] of forbidden) {
    it(`keeps a service's role from ${what}`, async () => {
      for (const schema of schemas) {
        expect(await failure(database.connect(schema).raw(statement(schema)))).to.equal('42501');
      }
    });
  }

  it('may be repeated, several at once, and keeps the rows', async () => {
    await Promise.all([provision(database), provision(database), provision(database)]);
    const [row] = await database.connect('orders')('parcel').count({ rows: '*' });
    expect(row?.rows).to.equal(1);
  });

  it('sets the password that the address has', async () => {
    const changed = new URL(database.DATABASE_URL_ORDERS);
    changed.username = 'orders_of_test';
    changed.password = 'another';
    const urls = { ...database, DATABASE_URL_ORDERS: changed.toString() };
    await provision(urls);
    changed.password = "chan'ged";
    urls.DATABASE_URL_ORDERS = changed.toString();
    await provision(urls);
    await migrate(urls);
    const signIn = (password: string) => {
      changed.password = password;
      return failure(withLock(changed.toString(), (client) => client.query('select from orders.parcel')));
    };
    expect(await signIn("chan'ged")).to.equal('nothing failed');
    for (const other of ['another', 'orders_of_test']) expect(await signIn(other), other).to.equal('28P01');
    await database.connect('orders', 'owner').raw('drop owned by orders_of_test cascade');
    await database.connect('orders', 'owner').raw('drop role orders_of_test');
  });
});
