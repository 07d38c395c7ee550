import { bundleNameOf } from '#domain/settings/temporal.ts';
import { ensureBuilt, staleTargets } from '../build/ensure.ts';
import {
  announce,
  bringUpDatabase,
  bringUpService,
  bringUpTemporal,
  build,
  demonstrate,
  lines,
  runUntilEnded,
  say,
  summary,
} from '../start/bring-up.ts';
import { freePort } from '../start/ports.ts';
import { withProgress } from '../start/progress.ts';
import type { Running } from '../start/running.ts';
import { serviceAddress } from '../start/services.ts';
import { dataPaths, parseStartSettings, type StartSettings } from '../start/settings.ts';
import { createBuild, type ServiceBuild, type WatchedService, watchedServices } from './builds.ts';
import { serveConsole } from './console.ts';
import { createDevService, type DevService } from './services.ts';
import { watchSources } from './watch.ts';

/** What services are made of. The sandbox, PostgreSQL and Temporal stay as they are. */
const watched = ['activities', 'api', 'clients', 'commands', 'db', 'domain', 'workflows', 'temporal.config.ts'];

interface Watched {
  build: ServiceBuild;
  service: DevService;
}

/** Makes again what uses one of the files, and replaces each service whose build differs. */
async function replaceChanged(services: ReadonlyMap<WatchedService, Watched>, files: readonly string[]): Promise<void> {
  const using = [...services.values()].filter(({ build: made }) => files.some((file) => made.uses(file)));
  await Promise.all(
    using.map(async ({ build: made, service }) => {
      // esbuild has said what is wrong; the service stays as it is.
      if (await made.rebuild().catch(() => false)) await service.replace();
    }),
  );
}

/** Workflows run as one bundle, which takes seconds; then every worker needs it. */
async function rebundle(services: ReadonlyMap<WatchedService, Watched>, start: StartSettings): Promise<void> {
  const stale = staleTargets([bundleNameOf(start.temporal)]);
  if (stale.length === 0) return;
  const logFile = dataPaths(start.dataFolder).log('build');
  try {
    await withProgress(say, `Building ${stale.join(' and ')}`, () =>
      ensureBuilt(stale, { logFile, environment: start.environment }),
    );
    await Promise.all([...services.values()].map(({ service }) => service.replace()));
  } catch (error) {
    say(`Workflows stay as they were: ${lines(error)}`);
  }
}

async function bringUpServices(start: StartSettings, running: Running) {
  const made = await Promise.all(
    watchedServices.map(async (name) => {
      const built = await createBuild(name);
      await built.rebuild();
      return [name, { build: built, service: createDevService(name, { build: built, start, running }) }] as const;
    }),
  );
  const services = new Map<WatchedService, Watched>(made);
  await Promise.all([...services.values()].map(({ service }) => service.replace()));
  return services;
}

const bringUp = (publicPort: number) => async (start: StartSettings, running: Running) => {
  const { settings } = start;
  const stale = announce(start, ['sandbox']);
  await Promise.all([bringUpTemporal(start, running), bringUpDatabase(start, running), build(start, stale)]);
  const [services] = await Promise.all([
    bringUpServices(start, running),
    serveConsole(settings, { port: publicPort, bff: serviceAddress('bff', settings) }),
    settings.SANDBOX ? bringUpService('sandbox', start, running) : undefined,
  ]);
  watchSources(watched, async (files) => {
    await replaceChanged(services, files);
    await rebundle(services, start);
  });
  say(summary(start).join('\n'));
  await demonstrate(start, running);
};

/** The BFF listens elsewhere: at its address is the console as Vite serves it, which passes the rest on. */
async function main(): Promise<number> {
  try {
    const { settings } = parseStartSettings(process.env);
    const environment = {
      ...process.env,
      PUBLIC_BFF_URL: settings.PUBLIC_BFF_URL,
      BFF_PORT: String(await freePort()),
    };
    return await runUntilEnded(environment, bringUp(settings.BFF_PORT));
  } catch (error) {
    console.error(lines(error));
    return 1;
  }
}

process.exit(await main());
