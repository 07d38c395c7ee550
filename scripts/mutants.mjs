// `npm run mutants`: installs what is missing, then hands over. Plain Node, no dependencies.
import { handOver } from './hand-over.mjs';
import { install } from './install.mjs';

await install();
handOver('scripts/mutants/main.ts', process.argv.slice(2), 'mutants');
