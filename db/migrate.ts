import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Knex } from 'knex';
import { connect, type Schema } from './connection.ts';
import { type DatabaseUrls, protectHistory, serviceRoles, withLock } from './provision.ts';

/** Where the migrations of all schemas lie. */
export const migrationsFolder = fileURLToPath(new URL('../migrations', import.meta.url));

/** Named without their ending, so that the table reads the same from sources and from a build. */
function migrationSource(folder: string): Knex.MigrationSource<string> {
  return {
    getMigrations: () =>
      Promise.resolve(
        existsSync(folder)
          ? readdirSync(folder)
              .filter((file) => file.endsWith('.ts'))
              .map((file) => file.slice(0, -'.ts'.length))
              .toSorted()
          : [],
      ),
    getMigrationName: (name) => name,
    getMigration: async (name) => (await import(pathToFileURL(join(folder, `${name}.ts`)).href)) as Knex.Migration,
  };
}

async function migrateSchema(url: string, schema: Schema): Promise<string[]> {
  const database = connect({ url, schema, applicationName: `migrate-${schema}`, pool: { min: 0, max: 2 } });
  const config: Knex.MigratorConfig = {
    schemaName: schema,
    migrationSource: migrationSource(join(migrationsFolder, schema)),
  };
  try {
    // Ours is the only migration running, so a lock that is still set was left by a process that was killed.
    await database.migrate.forceFreeMigrationsLock(config);
    const [, names] = (await database.migrate.latest(config)) as [number, string[]];
    return names;
  } finally {
    await database.destroy();
  }
}

/**
 * Brings every schema to its newest migration, as the owner. Several at once wait for each other.
 * @returns the migrations that ran, as `schema/name`.
 * @throws the migration's own error; what ran before it in the same schema is rolled back with it.
 */
export async function migrate(urls: DatabaseUrls): Promise<string[]> {
  return withLock(urls.DATABASE_URL, async (client) => {
    const ran: string[] = [];
    for (const { schema, name: role } of serviceRoles(urls)) {
      const names = await migrateSchema(urls.DATABASE_URL, schema);
      await protectHistory(client, schema, role);
      ran.push(...names.map((name) => `${schema}/${name}`));
    }
    return ran;
  });
}
