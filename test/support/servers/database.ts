import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Knex } from 'knex';
import type { Client } from 'pg';
import { connect, schemas, type Schema } from '#db/connection.ts';
import { migrate, migrationsFolder } from '#db/migrate.ts';
import { type DatabaseUrls, grantConnections, provision, serviceRoles, withDatabase, withLock } from '#db/provision.ts';
import { sharedPostgres } from './servers.ts';

export interface OpenedDatabase extends DatabaseUrls {
  /** The pool as the service's role, or as the owner: one, however often it is asked for. */
  connect(schema: Schema, as?: 'service' | 'owner'): Knex;
  /** Ends the pools. */
  disconnect(): Promise<void>;
}

export interface TestDatabase extends OpenedDatabase {
  drop(): Promise<void>;
}

const TEMPLATE_LOCK = 5_108_002;

function roleUrl(url: string, role: string): string {
  const address = new URL(url);
  address.username = role;
  address.password = role;
  return address.toString();
}

const urlsOf = (url: string): DatabaseUrls => ({
  DATABASE_URL: url,
  DATABASE_URL_BFF: roleUrl(url, 'bff'),
  DATABASE_URL_BACKEND: roleUrl(url, 'outreach'),
  DATABASE_URL_ORDERS: roleUrl(url, 'orders'),
});

/** Changes with any migration, so that a server that outlives an edit never serves outdated tables. */
function migrationsHash(): string {
  const hash = createHash('sha256');
  for (const schema of schemas) {
    const folder = join(migrationsFolder, schema);
    const files = existsSync(folder) ? readdirSync(folder).toSorted() : [];
    for (const file of files) hash.update(`${schema}/${file}\0`).update(readFileSync(join(folder, file)));
  }
  return hash.digest('hex').slice(0, 16);
}

async function buildTemplate(server: string): Promise<string> {
  const name = `template_${migrationsHash()}`;
  const building = `${name}_building`;
  const build = async (client: Client): Promise<void> => {
    const found = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (found.rowCount !== 0) return;
    const urls = urlsOf(withDatabase(server, building));
    await provision(urls);
    await migrate(urls);
    await client.query(`alter database ${building} rename to ${name}`);
  };
  // Not the lock of provision, which runs inside.
  await withLock(server, build, TEMPLATE_LOCK);
  return name;
}

const templates = new Map<string, Promise<string>>();

function templateOf(server: string): Promise<string> {
  const template = templates.get(server) ?? buildTemplate(server);
  templates.set(server, template);
  return template;
}

/** A database that another process may have made. */
export function openDatabase(urls: DatabaseUrls): OpenedDatabase {
  const pools = new Map<string, Knex>();
  const serviceUrl = {
    bff: urls.DATABASE_URL_BFF,
    outreach: urls.DATABASE_URL_BACKEND,
    orders: urls.DATABASE_URL_ORDERS,
  } satisfies Record<Schema, string>;
  return {
    ...urls,
    connect: (schema, as = 'service') => {
      const url = as === 'owner' ? urls.DATABASE_URL : serviceUrl[schema];
      const key = `${schema} as ${as}`;
      const pool = pools.get(key) ?? connect({ url, schema, applicationName: 'test', pool: { max: 5 } });
      pools.set(key, pool);
      return pool;
    },
    disconnect: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
      pools.clear();
    },
  };
}

async function copyOn(server: string, source: string): Promise<TestDatabase> {
  const name = `test_${process.pid}_${randomBytes(6).toString('hex')}`;
  const urls = urlsOf(withDatabase(server, name));
  await withLock(server, async (client) => {
    // Copying the files takes a third of the time of writing every page to the log.
    await client.query(`create database ${name} template ${source} strategy file_copy`);
    // A copy has everything that `provision` does inside a database; the rights to the database itself are not copied.
    await grantConnections(client, name, serviceRoles(urls));
  });

  const database = openDatabase(urls);
  return {
    ...database,
    drop: async () => {
      await database.disconnect();
      await withLock(server, (client) => client.query(`drop database if exists ${name} with (force)`));
    },
  };
}

/**
 * A fresh database with every schema migrated, copied from one that was migrated once, on the PostgreSQL with this
 * owner's address (by default the run's).
 */
export async function createDatabase(ofTest?: string): Promise<TestDatabase> {
  const server = ofTest ?? (await sharedPostgres());
  return copyOn(server, await templateOf(server));
}

/** What a database of the run's PostgreSQL holds, as another database there. Nobody may be connected to it meanwhile. */
export async function copyDatabase({ DATABASE_URL }: DatabaseUrls): Promise<TestDatabase> {
  return copyOn(await sharedPostgres(), new URL(DATABASE_URL).pathname.slice(1));
}
