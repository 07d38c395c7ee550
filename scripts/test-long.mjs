// `npm run test:long`: what `npm test` tries with a few hundred random sequences, with many thousands, what it kills
// once, ten times, a send to 200,000 contacts while machines end, each step of pay struck at each process, each page of
// the console in every combination of language, theme and width, the start on each release of Node, and every
// benchmark. Plain Node, no dependencies.
import { handOver } from './hand-over.mjs';
import { install } from './install.mjs';

await install();
process.env.ORDER_MODEL_SEQUENCES ??= '20000';
process.env.SEND_MODEL_CAMPAIGNS ??= '300';
process.env.PAST_AUDIENCES ??= '1000';
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
const files = [
  'test/orders/model/',
  'test/orders/crash.test.ts',
  'test/sends/model/',
  'test/past/simulation/',
  'test/crash/shutdown',
  'test/machines/',
  'test/start/node-versions',
  'test/bench/',
  'test/security/',
  'described.test.ts',
  'test/browser/every-page',
  'test/browser/api-documents',
  'test/browser/tags-rules-contacts',
];
handOver('scripts/test/main.ts', files, 'test:long');
