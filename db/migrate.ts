import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Knex } from 'knex';
import type { Client } from 'pg';
import { connect, type Schema, schemas } from './connection.ts';
import { isLocked } from './errors.ts';
import { type DatabaseUrls, protectTables, serviceRoles, withLock } from './provision.ts';

/** The directory of all schemas' migrations. */
export const migrationsFolder = fileURLToPath(new URL('../migrations', import.meta.url));

/** Of a source or of a compiled migration. */
const extension = /\.(ts|mjs)$/;

/** In order. Named without extension, so that the migrations table is the same for sources and for a build. */
function migrationsOf(schema: Schema): string[] {
  return readdirSync(join(migrationsFolder, schema))
    .filter((file) => extension.test(file))
    .map((file) => file.replace(extension, ''))
    .toSorted();
}

interface MigrationFile extends Pick<Knex.Migration, 'up'> {
  /** `transaction: false` for statements that cannot run in one, such as `create index concurrently`. */
  config?: { transaction: boolean };
}

function migrationSource(schema: Schema): Knex.MigrationSource<string> {
  const folder = join(migrationsFolder, schema);
  const files = readdirSync(folder);
  return {
    getMigrations: () => Promise.resolve(migrationsOf(schema)),
    getMigrationName: (name) => name,
    getMigration: async (name) => {
      const file = files.find((one) => extension.test(one) && one.replace(extension, '') === name) ?? name;
      const { up, config } = (await import(pathToFileURL(join(folder, file)).href)) as MigrationFile;
      // knex requires both; a migration is undone by another migration.
      return { up, ...(config && { config }), down: () => Promise.reject(new Error('Migrations only go forward')) };
    },
  };
}

/**
 * A database whose history starts differently from ours predates the first release, when migrations were still being
 * rewritten. This tells its owner what to do; knex would only list missing files.
 */
async function requireOurHistory(client: Client, schema: Schema): Promise<void> {
  const found = await client.query('select to_regclass($1) is not null as exists', [`${schema}.knex_migrations`]);
  if (!found.rows[0].exists) return;
  const history = await client.query<{ name: string }>(
    `select name from ${schema}.knex_migrations order by id limit 1`,
  );
  const first = history.rows[0]?.name;
  if (first === undefined || first === migrationsOf(schema)[0]) return;
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

async function migrateSchema(url: string, schema: Schema): Promise<string[]> {
  const database = connect({ url, schema, applicationName: `migrate-${schema}`, limits, pool: { min: 0, max: 2 } });
  const config: Knex.MigratorConfig = {
    schemaName: schema,
    migrationSource: migrationSource(schema),
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
 * @returns the migrations that ran, as `schema/name`.
 * @throws Error if the database predates the first release; nothing is changed then.
 * @throws the migration's own error; everything that ran before it in the same schema is rolled back with it.
 */
export async function migrate(urls: DatabaseUrls): Promise<string[]> {
  return withLock(urls.DATABASE_URL, async (client) => {
    for (const schema of schemas) await requireOurHistory(client, schema);
    const ran: string[] = [];
    for (const { schema, name: role } of serviceRoles(urls)) {
      const names = await migrateSchema(urls.DATABASE_URL, schema);
      await protectTables(client, schema, role);
      ran.push(...names.map((name) => `${schema}/${name}`));
    }
    return ran;
  });
}
