// `npm run test:long`: what `npm test` tries with a few hundred random sequences, with many thousands. Plain Node, no
// dependencies.
import { handOver } from './hand-over.mjs';
import { install } from './install.mjs';

await install();
process.env.ORDER_MODEL_SEQUENCES ??= '20000';
process.env.TEST_TIMEOUT_MINUTES ??= '720';
handOver('scripts/test/main.ts', ['test/orders/model/'], 'test:long');
