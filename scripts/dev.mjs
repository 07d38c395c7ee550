// `npm run dev`: as `npm start`, from the sources, again with each change. Plain Node, no dependencies.
import { handOver } from './hand-over.mjs';
import { install } from './install.mjs';

await install();
handOver('scripts/dev/main.ts', [], 'dev');
