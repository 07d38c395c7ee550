// `npm test`: installs what is missing, then hands over. `npm test -- domain` runs the test files whose path
// contains "domain", without lint and types. Plain Node, no dependencies.
import { handOver } from './hand-over.mjs';
import { install } from './install.mjs';

await install();
handOver('scripts/test/main.ts', process.argv.slice(2), 'test');
