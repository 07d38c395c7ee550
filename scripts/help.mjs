import { overview } from './commands.mjs';

console.log(overview());
