// Preloaded by every npm script that runs Node: with `--help`, prints the script's help instead of running it.
import { commands, helpOf } from './commands.mjs';

const name = process.env.npm_lifecycle_event ?? '';
if (name in commands && process.argv.slice(2).some((word) => word === '--help' || word === '-h')) {
  console.log(helpOf(name));
  process.exit(0);
}
