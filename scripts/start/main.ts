import {
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
  await Promise.all([
    bringUpTemporal(start, running),
    bringUpDatabase(start, running),
    build(start, ['services', 'web', 'sandbox']),
  ]);
  const { settings } = start;
  const names = serviceNames.filter((name) => name !== 'sandbox' || settings.SANDBOX);
  await Promise.all(names.map((name) => bringUpService(name, start, running)));
  await demonstrate(start);
  // In a single write: whoever waits for `ready` gets the addresses with it.
  say(summary(start).join('\n'));
}

process.exit(await runUntilEnded(process.env, bringUp));
