import { databaseAddresses, parseSettings, SettingsError } from '../domain/settings.ts';
import { migrate } from '../db/migrate.ts';
import { provision } from '../db/provision.ts';

/** `npm run migrate`: what a deployment runs before its services start. */
async function main(): Promise<void> {
  const settings = parseSettings(process.env, databaseAddresses);
  await provision(settings);
  const ran = await migrate(settings);
  console.log(ran.length === 0 ? 'Nothing to migrate.' : `Migrated: ${ran.join(', ')}`);
}

main().catch((error: unknown) => {
  console.error(error instanceof SettingsError ? error.message : error);
  process.exit(1);
});
