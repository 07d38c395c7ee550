// `npm run test:all`: every test, those with random sequences, kills and benchmarks with far more of them than `npm test`:
// hours on two cores. Plain Node, no dependencies.
import { handOver } from './hand-over.mjs';
import { install } from './install.mjs';

await install();
process.env.ORDER_MODEL_SEQUENCES ??= '20000';
process.env.SEND_MODEL_CAMPAIGNS ??= '300';
process.env.AUTOMATIONS_MODEL_CONTACTS ??= '20000';
process.env.PAST_AUDIENCES ??= '1000';
process.env.ODD_INPUTS ??= '50000';
process.env.FORGERIES ??= '1000000';
process.env.ODD_REQUESTS ??= '200';
process.env.MEMORY_REQUESTS ??= '2500';
process.env.SCHEMATHESIS_EXAMPLES ??= '100';
process.env.EVERY_COMBINATION ??= 'on';
process.env.EVERY_STRIKE ??= 'on';
process.env.EVERY_NODE ??= 'on';
process.env.EVERY_BENCH ??= 'on';
process.env.LISTED_CONTACTS ??= '100000';
process.env.SHUTDOWN_REPETITIONS ??= '10';
process.env.SHUTDOWN_DATABASE_AWAY_MS ??= '60000';
process.env.MACHINES_CONTACTS ??= '200000';
process.env.TEST_TIMEOUT_MINUTES ??= '720';
handOver('scripts/test/main.ts', ['--all', ...process.argv.slice(2)], 'test:all');
