import { parseSettings } from '../domain/settings.ts';
import { migrate } from '../db/migrate.ts';
import { provision } from '../db/provision.ts';

/** `npm run migrate`: what a deployment runs before its services start. */
const settings = parseSettings(process.env);
await provision(settings);
const ran = await migrate(settings);
console.log(ran.length === 0 ? 'Nothing to migrate.' : `Migrated: ${ran.join(', ')}`);
