// `node --import tsx scripts/demonstrate.ts`: the demonstration's data for services that run already, those of compose.
import { parseSettings } from '../domain/settings/settings.ts';
import { seedDemo } from './demo.ts';
import { withReminders } from './start/progress.ts';

const settings = parseSettings(process.env, ['DATABASE_URL', 'PAYMENT_GATEWAY_KEY']);
await withReminders(console.log, 'Seeding the demonstration', () => seedDemo(settings));
console.log('The demonstration is complete.');
