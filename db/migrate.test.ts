import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { useTestDatabase } from '../test/support/fixtures/database.ts';
import { createDatabase } from '../test/support/servers/database.ts';
import { temporaryFolder } from '../test/support/servers/servers.ts';
import { eventually } from '../test/support/time/eventually.ts';
import { migrate, migrationsFolder, prepareDatabase } from './migrate.ts';
import { withLock } from './provision.ts';

/** What first migrations were called before the first release. */
const earlierNames = [
  ['bff', '0001_protocol_state'],
  ['bff', '0001_integrations'],
  ['outreach', '0001_tenants_and_contacts'],
  ['outreach', '0001_tenants'],
  ['orders', '0001_orders'],
  ['orders', '0001_catalogue'],
] as const;

/** A folder with all migrations, and these after them. */
function withMigrations(added: Record<string, string>): string {
  const folder = temporaryFolder();
  cpSync(migrationsFolder, folder, { recursive: true });
  for (const [path, text] of Object.entries(added)) writeFileSync(join(folder, path), text);
  return folder;
}

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
    const folder = withMigrations({
      'orders/9000_waiting.sql': `
        create table made_before (id integer);
        alter table payment_attempt add column waited_for text;`,
    });
    const holder = await owner.transaction();
    await holder.raw('lock table payment_attempt in access share mode');
    const migrating = migrate(database, folder);
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
        expect(await owner.schema.hasTable('made_before'), 'nothing of it is left behind').to.equal(false);
      }
    } finally {
      await holder.rollback();
    }
    expect(await migrating).to.deep.equal(['orders/9000_waiting']);
    expect(await owner.schema.hasColumn('payment_attempt', 'waited_for')).to.equal(true);
  });

  it('runs SQL as it is written, and modules for what cannot run in a transaction', async () => {
    const other = await createDatabase();
    try {
      const folder = withMigrations({
        'orders/9000_question.sql': `create table answer as select '{"why?": 1}'::jsonb ? 'why?' as found, 'why?' as question;`,
        'orders/9001_index.mjs': `export const config = { transaction: false };
          export const up = (knex) => knex.raw('create index concurrently answer_found on answer (found)');`,
        'orders/schema.json': 'no migration',
      });
      expect(await migrate(other, folder)).to.deep.equal(['orders/9000_question', 'orders/9001_index']);
      expect(await migrate(other, folder)).to.deep.equal([]);
      const owner = other.connect('orders', 'owner');
      expect(await owner('answer').select()).to.deep.equal([{ found: true, question: 'why?' }]);
      expect(await owner('pg_indexes').where({ indexname: 'answer_found' })).to.have.length(1);
    } finally {
      await other.drop();
    }
  });

  it('leaves a database as a newer release migrated it, with the rights that this one does not know of', async () => {
    const other = await createDatabase();
    try {
      const newer = withMigrations({ 'orders/9000_newer.sql': 'create table written_once (id integer);' });
      await migrate(other, newer);
      const owner = other.connect('orders', 'owner');
      const rights = () =>
        owner('information_schema.role_table_grants')
          .where({ tableName: 'written_once', grantee: new URL(other.DATABASE_URL_ORDERS).username })
          .orderBy('privilege_type')
          .pluck('privilege_type');
      await owner.raw('revoke update, delete on written_once from ??', [new URL(other.DATABASE_URL_ORDERS).username]);
      expect(await rights()).to.deep.equal(['INSERT', 'SELECT']);
      expect(await prepareDatabase(other)).to.deep.equal({ ran: [], newer: 'orders/9000_newer' });
      expect(await rights()).to.deep.equal(['INSERT', 'SELECT']);
      expect(await prepareDatabase(other, newer)).to.deep.equal({ ran: [], newer: null });
    } finally {
      await other.drop();
    }
  });

  it('does not take a history with a gap for that of a newer release', async () => {
    const other = await createDatabase();
    try {
      const owner = other.connect('orders', 'owner');
      await owner('knex_migrations').insert({ name: '0001a_never_ours', batch: 1 });
      const outcome = await prepareDatabase(other).then(String, (error: Error) => error.message);
      expect(outcome).to.include('0001a_never_ours');
    } finally {
      await other.drop();
    }
  });

  it('rejects SQL of which knex would take a backslash away', async () => {
    const folder = withMigrations({ 'bff/9000_pattern.sql': `select 'why?' ~ '\\?';` });
    const outcome = await migrate(database, folder).then(String, (error: Error) => error.message);
    expect(outcome).to.match(/9000_pattern\.sql: write \[\?\]/);
  });

  it('rejects a database of an earlier development version, and says what to do', async () => {
    const earlier = await createDatabase();
    const rename = async (schema: string, name: string): Promise<string> => {
      const { rows } = await withLock(earlier.DATABASE_URL, (client) =>
        client.query<{ before: string }>(
          `with first as (select id, name from ${schema}.knex_migrations order by id limit 1)
           update ${schema}.knex_migrations m set name = $1 from first where m.id = first.id returning first.name as before`,
          [name],
        ),
      );
      return rows[0]?.before ?? '';
    };
    try {
      for (const [schema, name] of earlierNames) {
        const today = await rename(schema, name);
        const outcome = await migrate(earlier).then(String, (error: Error) => error.message);
        expect(outcome).to.match(
          /^The database .* \(\w+\/\w+\)[^.\n]*: delete DATA_DIR, [^.\n]*DATABASE_URL[^.\n]*$/,
          `${schema}/${name}`,
        );
        expect(outcome).to.include(`(${schema}/${name})`);
        await rename(schema, today);
      }
      expect(await migrate(earlier)).to.deep.equal([]);
    } finally {
      await earlier.drop();
    }
  });
});
