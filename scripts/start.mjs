// `npm start`: installs what is missing, then hands over. Plain Node, no dependencies.
import { handOver } from './hand-over.mjs';
import { install } from './install.mjs';

await install();
handOver('scripts/start/main.ts', [], 'start');
