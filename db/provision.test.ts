import { expect } from 'chai';
import { roleUrl } from '../domain/settings/settings.ts';
import { createDatabase, type TestDatabase } from '../test/support/servers/database.ts';
import { schemas, type Schema } from './connection.ts';
import { migrate } from './migrate.ts';
import { provision, withDatabase, withLock } from './provision.ts';

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
    ['creating a table in public', () => 'create table public.other (id int)'],
    ['changing a table', (schema) => `alter table ${schema}.parcel add column other int`],
    ['emptying a table despite its triggers', (schema) => `truncate ${schema}.parcel`],
    ['making a schema', () => 'create schema other'],
    ['making a role', () => 'create role other'],
    ['rewriting the migration history', (schema) => `delete from ${schema}.knex_migrations`],
  ];
  for (const [what, statement] of forbidden) {
    it(`keeps a service's role from ${what}`, async () => {
      for (const schema of schemas) {
        expect(await failure(database.connect(schema).raw(statement(schema)))).to.equal('42501');
      }
    });
  }

  it('may be repeated, even concurrently, and keeps the rows', async () => {
    await Promise.all([provision(database), provision(database), provision(database)]);
    const [row] = await database.connect('orders')('parcel').count({ rows: '*' });
    expect(row?.rows).to.equal(1);
  });

  it('sets the password given in the address', async () => {
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

describe('provision by an owner who is not a superuser', () => {
  const mark = `_${process.pid}`;
  let database: TestDatabase;
  before(async () => {
    database = await createDatabase();
    await withLock(database.DATABASE_URL, async (client) => {
      await client.query(`create role keeper${mark} login createdb createrole password 'kept'`);
      await client.query(`create role bff${mark} login password 'of somebody else'`);
    });
  });
  after(async () => {
    await withLock(database.DATABASE_URL, async (client) => {
      await client.query(`drop database if exists kept${mark} with (force)`);
      await client.query(
        `drop role if exists bff${mark}, outreach${mark}, outreach${mark}_limited, orders${mark}, keeper${mark}`,
      );
    });
    await database.drop();
  });

  it('creates what is missing, sets another password the next time, and leaves a role alone that is not its own', async () => {
    const own = withDatabase(database.DATABASE_URL, `kept${mark}`);
    for (const password of ['first', 'second']) {
      const urls = {
        DATABASE_URL: roleUrl(own, `keeper${mark}`, 'kept'),
        DATABASE_URL_BFF: roleUrl(own, `bff${mark}`, 'of somebody else'),
        DATABASE_URL_BACKEND: roleUrl(own, `outreach${mark}`, password),
        DATABASE_URL_ORDERS: roleUrl(own, `orders${mark}`, password),
      };
      await provision(urls);
      await migrate(urls);
      const { rows } = await withLock(urls.DATABASE_URL_ORDERS, (client) =>
        client.query('select current_user as name, count(*) as orders from orders.customer_order'),
      );
      expect(rows).to.deep.equal([{ name: `orders${mark}`, orders: 0 }]);
      await withLock(urls.DATABASE_URL_BFF, (client) => client.query('select from bff.tenant_integration'));
    }
  });
});
