import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Knex } from 'knex';
import type { Client } from 'pg';
import { connect, type Schema, schemas } from './connection.ts';
import { isLocked, isMissingDatabase } from './errors.ts';
import { type DatabaseUrls, protectTables, provision, serviceRoles, withLock } from './provision.ts';

/** The directory of all schemas' migrations. */
export const migrationsFolder = fileURLToPath(new URL('../migrations', import.meta.url));

/** SQL in a transaction; or a source, or a compiled one, for what needs more, such as batches. */
const extension = /\.(sql|ts|mjs)$/;

/** In order. Named without extension, so that the migrations table is the same for sources and for a build. */
function migrationsOf(folder: string): string[] {
  return readdirSync(folder)
    .filter((file) => extension.test(file))
    .map((file) => file.replace(extension, ''))
    .toSorted();
}

interface MigrationFile extends Pick<Knex.Migration, 'up'> {
  /** `transaction: false` for statements that cannot run in one, such as `create index concurrently`. */
  config?: { transaction: boolean };
}

/** @throws Error for a text that knex would change: it takes a question mark for a binding, and a backslash before it away. */
function sqlMigration(path: string): MigrationFile {
  const sql = readFileSync(path, 'utf8');
  if (sql.includes('\\?')) throw new Error(`${path}: write [?] for \\? in a regular expression`);
  return { up: (knex) => knex.raw(sql.replaceAll('?', '\\?')) };
}

/** The migration of a file. */
export async function migrationAt(path: string): Promise<MigrationFile> {
  return path.endsWith('.sql') ? sqlMigration(path) : ((await import(pathToFileURL(path).href)) as MigrationFile);
}

function migrationSource(folder: string): Knex.MigrationSource<string> {
  const files = readdirSync(folder);
  return {
    getMigrations: () => Promise.resolve(migrationsOf(folder)),
    getMigrationName: (name) => name,
    getMigration: async (name) => {
      const file = files.find((one) => extension.test(one) && one.replace(extension, '') === name) ?? name;
      const { up, config } = await migrationAt(join(folder, file));
      // knex requires both; a migration is undone by another migration.
      return { up, ...(config && { config }), down: () => Promise.reject(new Error('Migrations only go forward')) };
    },
  };
}

/** The migrations that ran, in order. */
async function historyOf(client: Client, schema: Schema): Promise<string[]> {
  const found = await client.query('select to_regclass($1) is not null as exists', [`${schema}.knex_migrations`]);
  if (!found.rows[0].exists) return [];
  const history = await client.query<{ name: string }>(`select name from ${schema}.knex_migrations order by id`);
  return history.rows.map(({ name }) => name);
}

/**
 * A database whose history starts differently from ours predates the first release, when migrations were still being
 * rewritten: no first one has a name that an earlier one had. This tells its owner what to do; knex would only list missing
 * files.
 */
async function requireOurHistory(client: Client, schema: Schema, folder: string): Promise<void> {
  const [first] = await historyOf(client, schema);
  if (first === undefined || first === migrationsOf(join(folder, schema))[0]) return;
  throw new Error(
    `The database was created by a version before the first release (${schema}/${first}) and cannot be migrated: delete DATA_DIR, or point DATABASE_URL at an empty database`,
  );
}

/**
 * Whoever uses a table waits behind a migration that waits for it: it gives up soon, with all that it has done, and tries
 * again.
 */
const limits = { lockMs: 1000, statementMs: 0, idleInTransactionMs: 0 };
const LOCK_TRIES = 30;
const LOCK_AGAIN_MS = 1000;

async function untilUnlocked<T>(work: () => Promise<T>, tries = LOCK_TRIES): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isLocked(error) || tries <= 1) throw error;
  }
  await setTimeout(LOCK_AGAIN_MS);
  return untilUnlocked(work, tries - 1);
}

async function migrateSchema(url: string, schema: Schema, folder: string): Promise<string[]> {
  const database = connect({ url, schema, applicationName: `migrate-${schema}`, limits, pool: { min: 0, max: 2 } });
  const config: Knex.MigratorConfig = {
    schemaName: schema,
    migrationSource: migrationSource(join(folder, schema)),
  };
  try {
    return await untilUnlocked(async () => {
      // No other migration is running, so a lock that is still set was left behind by a killed process.
      await database.migrate.forceFreeMigrationsLock(config);
      const [, names] = (await database.migrate.latest(config)) as [number, string[]];
      return names;
    });
  } finally {
    await database.destroy();
  }
}

/**
 * Migrates every schema to its newest migration, as the owner. Concurrent calls wait for each other.
 * @param folder has a folder of migrations for each schema.
 * @returns the migrations that ran, as `schema/name`.
 * @throws Error if the database predates the first release; nothing is changed then.
 * @throws the migration's own error; everything that ran before it in the same schema is rolled back with it.
 */
export async function migrate(urls: DatabaseUrls, folder = migrationsFolder): Promise<string[]> {
  return withLock(urls.DATABASE_URL, async (client) => {
    for (const schema of schemas) await requireOurHistory(client, schema, folder);
    const ran: string[] = [];
    for (const service of serviceRoles(urls)) {
      const names = await migrateSchema(urls.DATABASE_URL, service.schema, folder);
      await protectTables(client, service);
      ran.push(...names.map((name) => `${service.schema}/${name}`));
    }
    return ran;
  });
}

/** The newest migration that a newer release ran, if this one is being put back: all of ours ran before it. */
async function newerMigration(client: Client, folder: string): Promise<string | null> {
  const newer: string[] = [];
  for (const schema of schemas) {
    const ours = migrationsOf(join(folder, schema));
    const ran = await historyOf(client, schema);
    const unknown = ran.filter((name) => !ours.includes(name));
    const newest = ours.at(-1) ?? '';
    if (ours.some((name) => !ran.includes(name)) || unknown.some((name) => name < newest)) return null;
    newer.push(...unknown.map((name) => `${schema}/${name}`));
  }
  return newer.at(-1) ?? null;
}

/**
 * Creates and migrates whatever is missing. A database that a newer release has migrated stays as it is: this release works
 * on it, and knows neither its tables nor what a service may do with them.
 * @returns the migrations that ran, as `schema/name`, and the newest one of a newer release.
 * @throws what `provision` and `migrate` throw.
 */
export async function prepareDatabase(
  urls: DatabaseUrls,
  folder = migrationsFolder,
): Promise<{ ran: string[]; newer: string | null }> {
  const newer = await withLock(urls.DATABASE_URL, (client) => newerMigration(client, folder)).catch(
    (error: unknown) => {
      if (isMissingDatabase(error)) return null;
      throw error;
    },
  );
  if (newer) return { ran: [], newer };
  await provision(urls);
  return { ran: await migrate(urls, folder), newer };
}
