import { databaseAddresses, parseSettings } from '../domain/settings/settings.ts';
import { prepareDatabase } from '../db/migrate.ts';
import { parseTemporalSettings } from '../domain/settings/temporal.ts';
import { prepareTemporal } from './start/temporal-server.ts';

/**
 * `npm run migrate`: a deployment runs it before its services start. Without TEMPORAL_ADDRESS, Temporal is left
 * alone.
 */
async function main(): Promise<void> {
  const settings = parseSettings(process.env, databaseAddresses);
  const temporal = parseTemporalSettings(process.env);
  const { ran, newer } = await prepareDatabase(settings);
  if (newer) console.log(`A newer release has migrated the database (${newer}): nothing is changed.`);
  else console.log(ran.length === 0 ? 'Nothing to migrate.' : `Migrated: ${ran.join(', ')}`);
  if (!process.env.TEMPORAL_ADDRESS) return;
  await prepareTemporal(temporal, { owned: false });
  console.log(`Temporal: prepared namespace ${temporal.namespace}.`);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
});
