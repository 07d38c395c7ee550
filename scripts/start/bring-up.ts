import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { relative } from 'node:path';
import { prepareDatabase } from '#db/migrate.ts';
import { SettingsError } from '#domain/settings/settings.ts';
import { bundleNameOf } from '#domain/settings/temporal.ts';
import { ensureBuilt, staleTargets, type TargetName } from '../build/ensure.ts';
import { seedDemo } from '../demo.ts';
import { describeConflicts } from './ports.ts';
import { startPostgres, stopLeftoverPostgres } from './postgres.ts';
import { elapsed, type Say, withProgress, withReminders } from './progress.ts';
import { createRunning, type Running } from './running.ts';
import { projectFolder, serviceAddress, type ServiceName, startService, waitUntilServing } from './services.ts';
import { dataPaths, neededPorts, parseStartSettings, type StartSettings } from './settings.ts';
import { findRunningStart, stopSurvivors } from './survivors.ts';
import { findTemporal, presentTemporal } from './temporal-finder.ts';
import { prepareTemporal, startTemporalServer } from './temporal-server.ts';

const began = Date.now();
export const say: Say = (line) => console.log(line);
export const lines = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Ends what an earlier start with this DATA_DIR left behind when it was killed. */
async function clearSurvivors(start: StartSettings): Promise<void> {
  const paths = dataPaths(start.dataFolder);
  const other = findRunningStart(paths.processes);
  if (other) throw new Error(`Already started with this DATA_DIR (process ${other}): stop that first`);
  const ended = await stopSurvivors(paths.processes);
  if (ended.length > 0) say(`Ended what an earlier start left running: ${ended.join(', ')}`);
  if (start.embeddedPostgres) await stopLeftoverPostgres(paths.postgres);
}

export async function bringUpTemporal(start: StartSettings, running: Running): Promise<void> {
  const { embeddedTemporal, temporal } = start;
  const { address } = temporal.connection;
  if (embeddedTemporal) {
    const executable = await findTemporal(say);
    const { temporal: file, log } = dataPaths(start.dataFolder);
    await running.add(startTemporalServer({ executable, ...embeddedTemporal, file, logFile: log('temporal') }));
  }
  await prepareTemporal(temporal, { owned: embeddedTemporal !== undefined });
  say(`Temporal is up at ${address}`);
}

export async function bringUpDatabase({ settings, embeddedPostgres, dataFolder }: StartSettings, running: Running) {
  const { host } = new URL(settings.DATABASE_URL);
  if (embeddedPostgres) {
    const { postgres: folder, log } = dataPaths(dataFolder);
    const account = { user: 'postgres', password: 'postgres' };
    await running.add(startPostgres({ folder, port: embeddedPostgres.port, ...account, logFile: log('postgresql') }));
  }
  try {
    const { ran, newer } = await prepareDatabase(settings);
    const done = ran.length > 0 ? `, ${ran.length} migrations ran` : '';
    say(`PostgreSQL is up at ${host}${newer ? `, migrated by a newer release (${newer})` : done}`);
  } catch (error) {
    throw new Error(`The database at ${host} cannot be prepared (DATABASE_URL): ${lines(error)}`, { cause: error });
  }
}

/**
 * Says what has to be made before everything serves, or after that, and about how long each takes on two quiet cores.
 * @returns those of the targets, and of the bundle of workflows, that are stale.
 */
export function announce(start: StartSettings, names: readonly TargetName[]): TargetName[] {
  const { settings, temporal, embeddedTemporal, embeddedPostgres, dataFolder } = start;
  const stale = staleTargets([bundleNameOf(temporal), ...names]);
  const isNew = embeddedPostgres && !existsSync(dataPaths(dataFolder).postgres);
  const missing = [
    ...(stale.length > 0 ? [`builds, ${stale.includes('web') ? 'half a minute' : 'seconds'}`] : []),
    ...(embeddedTemporal && !presentTemporal() ? ['a Temporal server, seconds (minutes if Go has to build it)'] : []),
    ...(isNew && settings.DEMO && settings.SANDBOX ? ['the demonstration, half a minute, after `ready`'] : []),
  ];
  if (missing.length > 0) say(`Missing: ${missing.join('; ')}`);
  return stale;
}

/** Builds the targets. */
export async function build({ dataFolder, environment }: StartSettings, stale: readonly TargetName[]): Promise<void> {
  if (stale.length === 0) return;
  const logFile = dataPaths(dataFolder).log('build');
  await withProgress(say, `Building ${stale.join(' and ')}`, () => ensureBuilt(stale, { logFile, environment }));
}

export async function bringUpService(name: ServiceName, start: StartSettings, running: Running): Promise<void> {
  const address = serviceAddress(name, start.settings);
  const logFile = dataPaths(start.dataFolder).log(name);
  const child = await running.add(startService(name, { environment: start.environment, logFile }));
  await waitUntilServing(child, name, address);
  say(`${name} is up at ${address}`);
}

/** What a start says once it is up. */
export function summary({ settings, embeddedTemporal, temporal, dataFolder }: StartSettings): string[] {
  const ui = embeddedTemporal ? `http://127.0.0.1:${embeddedTemporal.uiPort}` : settings.TEMPORAL_UI_URL;
  return [
    `Started in ${elapsed(began)}.`,
    'ready',
    `  console      ${settings.PUBLIC_BFF_URL}/app`,
    `  API docs     ${settings.PUBLIC_BFF_URL}/docs  ${settings.PUBLIC_ORDERS_URL}/docs`,
    `  Temporal UI  ${ui}  (namespace ${temporal.namespace})`,
    ...(settings.SANDBOX ? [`  sandbox      ${serviceAddress('sandbox', settings)}`] : []),
    `  logs         ${relative(process.cwd(), dataPaths(dataFolder).log('<service>'))}`,
    'Ctrl-C ends all of it.',
  ];
}

/** Everything works without it, so it comes last and its failure ends nothing. */
export async function demonstrate({ settings }: StartSettings, { ending }: Running): Promise<void> {
  if (!settings.DEMO || !settings.SANDBOX) return;
  const start = Date.now();
  try {
    await withReminders(say, 'Seeding the demonstration', () => seedDemo(settings, ending));
    say(`The demonstration is complete after ${elapsed(start)}`);
  } catch (error) {
    const reason = ending.aborted ? '' : `: ${lines(error)}`;
    say(`The demonstration is incomplete (the next start will continue)${reason}`);
  }
}

/** @throws SettingsError */
function requireDataFolder({ dataFolder }: StartSettings): void {
  try {
    mkdirSync(dataFolder, { recursive: true });
    accessSync(dataFolder, constants.W_OK);
  } catch (error) {
    throw new SettingsError(`DATA_DIR: cannot be written. ${lines(error)}`);
  }
}

/** Rejects if nothing may be started at all. */
async function prepare(environment: NodeJS.ProcessEnv): Promise<StartSettings> {
  const start = parseStartSettings(environment);
  requireDataFolder(start);
  if (!existsSync(`${projectFolder}node_modules`)) throw new Error('Nothing is installed: run npm start');
  await clearSurvivors(start);
  const conflicts = await describeConflicts(neededPorts(start));
  if (conflicts.length > 0) throw new Error(conflicts.join('\n'));
  return start;
}

/** Resolves with the first reason to stop: a signal, or the exit of the process that started us. */
function endRequested(): Promise<string> {
  return new Promise((resolve) => {
    // Repeated signals are one request: a terminal sends Ctrl-C to us and to the process that forwards it.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve(signal));
    process.once('disconnect', () => resolve('the end of its starter'));
  });
}

/**
 * Starts what `bringUp` starts, and ends all of it once somebody asks for that, or a process of it ends by itself.
 * @returns the exit code.
 */
export async function runUntilEnded(
  environment: NodeJS.ProcessEnv,
  bringUp: (start: StartSettings, running: Running) => Promise<void>,
): Promise<number> {
  // The reader of our output may exit before us.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  const ended = endRequested();
  let start: StartSettings;
  try {
    start = await prepare(environment);
  } catch (error) {
    console.error(lines(error));
    return 1;
  }
  const running = createRunning(dataPaths(start.dataFolder).processes);
  const up = bringUp(start, running);
  try {
    const word = await Promise.race([ended, running.failed, up.then(() => Promise.race([ended, running.failed]))]);
    say(`Stopping (${word}) …`);
    await running.stop();
    say('Stopped.');
    return 0;
  } catch (error) {
    console.error(lines(error));
    await running.stop();
    return 1;
  }
}
