import {
  announce,
  bringUpDatabase,
  bringUpService,
  bringUpTemporal,
  build,
  demonstrate,
  runUntilEnded,
  say,
  summary,
} from './bring-up.ts';
import type { Running } from './running.ts';
import { serviceNames } from './services.ts';
import type { StartSettings } from './settings.ts';

async function bringUp(start: StartSettings, running: Running): Promise<void> {
  const stale = announce(start, ['services', 'web', 'sandbox']);
  await Promise.all([bringUpTemporal(start, running), bringUpDatabase(start, running), build(start, stale)]);
  const { settings } = start;
  const names = serviceNames.filter((name) => name !== 'sandbox' || settings.SANDBOX);
  await Promise.all(names.map((name) => bringUpService(name, start, running)));
  // In a single write: whoever waits for `ready` gets the addresses with it.
  say(summary(start).join('\n'));
  await demonstrate(start, running);
}

process.exit(await runUntilEnded(process.env, bringUp));
