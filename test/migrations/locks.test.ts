import { copyFileSync, cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { type Schema, schemas } from '#db/connection.ts';
import { migrate, migrationAt, migrationsFolder } from '#db/migrate.ts';
import { useTestDatabase } from '../support/fixtures/database.ts';
import { temporaryFolder } from '../support/servers/servers.ts';
import { longLocksOf } from './lock-watcher.ts';

/** The numbers of the last migrations of the first release. They may lock: they run in empty tables. */
const ofFirstRelease: Record<Schema, number> = { bff: 2, outreach: 12, orders: 6 };

const isLater = (schema: Schema, name: string) => Number.parseInt(name, 10) > ofFirstRelease[schema];

/** Migrations of this test: what it finds about them shows that it would find it about others. */
const own = {
  'outreach/9000_rewriting.sql': 'alter table tenant add column x text default gen_random_uuid()::text;',
  'outreach/9001_column.sql': `alter table tenant add column y text default 'y'; create table x (y text);`,
  'outreach/9002_index.mjs': `export const config = { transaction: false };
    export const up = (knex) => knex.raw('create index concurrently tenant_x on tenant (x)');`,
  'outreach/9003_scanning.sql': `alter table tenant add constraint x check (x <> '');`,
};

describe('migrations beside the release that is running', function () {
  this.timeout(60_000);
  const database = useTestDatabase();
  const outreach = () => database.connect('outreach', 'owner');
  const found: Record<string, string[]> = {};

  /** Each migration in a database as those before it leave it. Not those outside of a transaction, for what cannot run in one. */
  async function watch(folder: string): Promise<void> {
    const ran = temporaryFolder();
    const add = (schema: Schema, name: string) => copyFileSync(join(folder, schema, name), join(ran, schema, name));
    const filesOf = (schema: Schema) => readdirSync(join(folder, schema)).toSorted();
    for (const schema of schemas) {
      mkdirSync(join(ran, schema));
      for (const name of filesOf(schema).filter((one) => !isLater(schema, one))) add(schema, name);
      await outreach().raw(`drop schema ${schema} cascade; create schema ${schema}`);
    }
    await migrate(database, ran);
    await outreach().raw(`insert into tenant (tenant_id, external_tenant_id, name, type, status)
      values ('a', 'ext-a', 'A', 'shop', 'active')`);
    for (const schema of schemas) {
      for (const name of filesOf(schema).filter((one) => isLater(schema, one))) {
        const { up, config } = await migrationAt(join(folder, schema, name));
        if (config?.transaction !== false)
          found[`${schema}/${name}`] = await longLocksOf(database.connect(schema, 'owner'), schema, up);
        add(schema, name);
        await migrate(database, ran);
      }
    }
  }

  before(async () => {
    const folder = temporaryFolder();
    cpSync(migrationsFolder, folder, { recursive: true });
    for (const [path, text] of Object.entries(own)) writeFileSync(join(folder, path), text);
    await watch(folder);
  });

  it('keep nobody waiting for as long as a table is large', () => {
    const long = Object.entries(found).filter(([name, work]) => !(name in own) && work.length > 0);
    expect(Object.fromEntries(long)).to.deep.equal({});
  });

  it('would be found if one did', () => {
    expect(Object.fromEntries(Object.entries(found).filter(([name]) => name in own))).to.deep.equal({
      'outreach/9000_rewriting.sql': ['tenant: rewritten', 'tenant: scanned'],
      'outreach/9001_column.sql': [],
      'outreach/9003_scanning.sql': ['tenant: scanned'],
    });
  });

  const flagged = (statement: string) =>
    longLocksOf(outreach(), 'outreach', async (knex: Knex) => void (await knex.raw(statement)));

  it('would be found if it rewrote a table, built an index or scanned it', async () => {
    expect(await flagged(`alter table tenant add column z text default gen_random_uuid()::text`)).to.include(
      'tenant: rewritten',
    );
    expect(await flagged('create index tenant_y on tenant (name)')).to.include.members([
      'tenant: tenant_y is built',
      'tenant: scanned',
    ]);
  });

  it('passes if it adds a column, a table with an index, or a constraint that is not validated yet', async () => {
    expect(await flagged(`alter table tenant add column z text default 'z'`)).to.deep.equal([]);
    expect(await flagged('create table z (y text); create index z_y on z (y)')).to.deep.equal([]);
    expect(await flagged(`alter table tenant add constraint z check (name <> 'z') not valid`)).to.deep.equal([]);
  });
});
