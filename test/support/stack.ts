import { join } from 'node:path';
import { ensureBuilt } from '../../scripts/build/ensure.ts';
import { parseSettings, type Settings } from '../../domain/settings.ts';
import type { Child } from '../../scripts/start/child.ts';
import { freePort } from '../../scripts/start/ports.ts';
import { serviceAddress, type ServiceName, startService, waitUntilServing } from '../../scripts/start/services.ts';
import { createDatabase, type TestDatabase } from './database.ts';
import { temporaryFolder } from './servers.ts';
import { createNamespace, type TestNamespace } from './temporal.ts';

export interface StackOptions {
  /** All four by default. */
  services?: readonly ServiceName[];
  /** Settings that differ from the stack's own. */
  env?: Record<string, string>;
  /** Builds the console too where it changed; without it the BFF serves what is in `dist/web`, if anything. */
  web?: boolean;
}

/** Real service processes on free ports, with a database, namespace and DATA_DIR of their own. */
export interface Stack {
  addresses: Record<ServiceName, string>;
  settings: Settings;
  database: TestDatabase;
  temporal: TestNamespace;
  dataFolder: string;
  /** The process, for its number and its state. */
  child(name: ServiceName): Child;
  /** Sends the signal and waits for the end. */
  kill(name: ServiceName, signal?: NodeJS.Signals): Promise<void>;
  /** Ends the service where it runs, starts it and waits until it serves. */
  restart(name: ServiceName): Promise<void>;
  /** The last lines of every service's log, for the message of a failure. */
  logs(lines?: number): string;
  /** Ends every process and drops the database; safe to repeat. */
  stop(): Promise<void>;
}

const everyService: readonly ServiceName[] = ['sandbox', 'backend', 'orders', 'bff'];

/** Of our own environment only what any program needs: a developer's settings must not reach a test. */
function bareEnvironment(): NodeJS.ProcessEnv {
  const names = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'XDG_CACHE_HOME', 'SystemRoot'];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

async function ports(): Promise<Record<string, string>> {
  const names = ['SANDBOX_PORT', 'BACKEND_PORT', 'ORDERS_PORT', 'BFF_PORT'];
  const free = await Promise.all(names.map(() => freePort()));
  return Object.fromEntries(names.map((name, index) => [name, String(free[index])]));
}

async function environmentOf(database: TestDatabase, temporal: TestNamespace, dataFolder: string) {
  return {
    ...bareEnvironment(),
    ...(await ports()),
    NODE_ENV: 'test',
    DATA_DIR: dataFolder,
    DATABASE_URL: database.DATABASE_URL,
    DATABASE_URL_BFF: database.DATABASE_URL_BFF,
    DATABASE_URL_BACKEND: database.DATABASE_URL_BACKEND,
    DATABASE_URL_ORDERS: database.DATABASE_URL_ORDERS,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    POLL_INTERVAL_MS: '100',
  };
}

/** The processes of one stack, by name. */
function createProcesses(environment: NodeJS.ProcessEnv, settings: Settings, dataFolder: string) {
  const children = new Map<ServiceName, Child>();
  const child = (name: ServiceName): Child => {
    const found = children.get(name);
    if (!found) throw new Error(`This stack has no ${name}`);
    return found;
  };
  const launch = async (name: ServiceName): Promise<void> => {
    const logFile = join(dataFolder, 'logs', `${name}.log`);
    const started = await startService(name, { environment, logFile, background: true });
    children.set(name, started);
    await waitUntilServing(started, name, serviceAddress(name, settings));
  };
  return {
    child,
    launch,
    logs: (lines = 20) => [...children.values()].map((one) => `== ${one.name}\n${one.tail(lines)}`).join('\n'),
    stopAll: async () => void (await Promise.all([...children.values()].map((one) => one.stop()))),
    kill: async (name: ServiceName, signal: NodeJS.Signals = 'SIGKILL') => {
      child(name).kill(signal);
      await child(name).exited;
    },
    restart: async (name: ServiceName) => {
      await child(name).stop();
      await launch(name);
    },
  };
}

/**
 * Starts services as `npm start` does, for one test file; end them with `stop()`. What is left when the tests'
 * process dies, dies with it.
 * @throws Error with the last lines of a service that did not come up.
 */
export async function startStack({
  services = everyService,
  env = {},
  web = false,
}: StackOptions = {}): Promise<Stack> {
  const dataFolder = temporaryFolder();
  const logFile = join(dataFolder, 'logs', 'build.log');
  await ensureBuilt(web ? ['workflow-bundle', 'web'] : ['workflow-bundle'], { logFile });
  const database = await createDatabase();
  const temporal = await createNamespace();
  const environment = { ...(await environmentOf(database, temporal, dataFolder)), ...env };
  const settings = parseSettings(environment);
  const { stopAll, ...processes } = createProcesses(environment, settings, dataFolder);
  let stopped: Promise<void> | undefined;
  const end = async () => {
    await stopAll();
    await temporal.close();
    await database.drop();
  };
  const stop = () => (stopped ??= end());
  try {
    await Promise.all(services.map(processes.launch));
  } catch (error) {
    await stop();
    throw error;
  }
  const address = (name: ServiceName) => serviceAddress(name, settings);
  const addresses = {
    sandbox: address('sandbox'),
    backend: address('backend'),
    orders: address('orders'),
    bff: address('bff'),
  };
  return { addresses, settings, database, temporal, dataFolder, ...processes, stop };
}
