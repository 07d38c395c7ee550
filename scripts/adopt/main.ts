import { parseArgs } from 'node:util';
import { addressedDatabases, operatingUser, takenOverLine, takeOver } from './take-over.ts';

/**
 * `npm run adopt`: lets a database that was started elsewhere send from here, while services run or before. `--by` says who
 * decided that, by default the user of the operating system.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { by: { type: 'string' } } });
  const by = values.by ?? operatingUser();
  const taken = await takeOver(addressedDatabases(), { actor: 'service:adopt', by });
  if (taken.length === 0) console.log('Nothing to adopt: what was started at all was started here.');
  for (const one of taken) console.log(takenOverLine(one));
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
});
