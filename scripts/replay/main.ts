import { parseArgs } from 'node:util';
import { parseTemporalSettings } from '#domain/settings/temporal.ts';
import { checkRuns } from './check.ts';
import { beginningOf, RECENT } from './report.ts';

/** `npm run replay`: whether this working copy can continue the runs of a real cluster. Changes nothing there. */
async function main(): Promise<boolean> {
  const { values } = parseArgs({
    options: { from: { type: 'string' }, since: { type: 'string', default: RECENT } },
  });
  const address = values.from ?? process.env.TEMPORAL_ADDRESS;
  if (!address) throw new Error('--from: must name the Temporal server, as host:port');
  const since = beginningOf(values.since, new Date());
  return await checkRuns(parseTemporalSettings({ ...process.env, TEMPORAL_ADDRESS: address }), since, (line) =>
    console.log(line),
  );
}

main()
  .then((passed) => process.exit(passed ? 0 : 1))
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(1);
  });
