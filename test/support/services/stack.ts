import { join } from 'node:path';
import { ensureBuilt } from '#scripts/build/ensure.ts';
import {
  databaseAddresses,
  localAddress,
  type EverySetting,
  parseSettings,
  secretNames,
  type Settings,
} from '#domain/settings/settings.ts';
import { bundleNameOf, parseTemporalSettings } from '#domain/settings/temporal.ts';
import type { Child } from '#scripts/start/child.ts';
import { freePort } from '#scripts/start/ports.ts';
import { serviceAddress, type ServiceName, startService, waitUntilServing } from '#scripts/start/services.ts';
import { createDatabase, type TestDatabase } from '../servers/database.ts';
import { temporaryFolder } from '../servers/servers.ts';
import { createNamespace, type TestNamespace } from '../servers/temporal.ts';

/** Processes beside the first of a service, each with ports of its own. */
const others = {
  'orders-worker': { service: 'orders', isWorker: true },
  'backend-worker': { service: 'backend', isWorker: true },
  'second-backend-worker': { service: 'backend', isWorker: true },
  'second-backend': { service: 'backend', isWorker: false },
  'second-orders': { service: 'orders', isWorker: false },
  'second-bff': { service: 'bff', isWorker: false },
} as const;
type OtherName = keyof typeof others;

/** A service, another process of it, or a worker: where a worker is listed, the service's other processes are the API alone. */
export type ProcessName = ServiceName | OtherName;

export interface StackOptions {
  /** All four services by default, each as one process. */
  services?: readonly ProcessName[];
  /** Settings that differ from the stack's own. */
  env?: Record<string, string>;
  /** Also builds the console if it changed; otherwise the BFF serves what is in `dist/web`, if anything. */
  web?: boolean;
  /** The owner's address of a PostgreSQL for the test alone. */
  postgres?: string;
}

/** The platform as its callers reach it, however it was started. */
export interface ServedPlatform {
  addresses: Record<ServiceName, string>;
  settings: Settings;
}

/** Real service processes on free ports, with their own database, namespace and DATA_DIR. */
export interface Stack extends ServedPlatform {
  /** Where `/metrics` is; the sandbox serves it with everything else. */
  metrics: Record<ServiceName, string>;
  settings: EverySetting;
  /** What its processes have in their environment. */
  environment: Record<string, string>;
  database: TestDatabase;
  temporal: TestNamespace;
  dataFolder: string;
  /** Where a process listens. */
  addressOf(name: ProcessName): string;
  /** The child process, for its id and state. */
  child(name: ProcessName): Child;
  /** Sends the signal and waits for the process to end. */
  kill(name: ProcessName, signal?: NodeJS.Signals): Promise<void>;
  /** Ends the service if it runs, starts it and waits until it is ready. */
  restart(name: ProcessName): Promise<void>;
  /** The last lines of every service's log, for a failure message. */
  logs(lines?: number): string;
  /** Ends every process and drops the database; safe to call twice. */
  stop(): Promise<void>;
}

const everyService: readonly ServiceName[] = ['sandbox', 'backend', 'orders', 'bff'];

/** Only the parts of our environment that any program needs: a developer's settings must not reach a test. */
function bareEnvironment(): Record<string, string> {
  const names = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'XDG_CACHE_HOME', 'SystemRoot'];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value ? [[name, value]] : [];
    }),
  );
}

const servicePorts = ['SANDBOX_PORT', 'BACKEND_PORT', 'ORDERS_PORT', 'BFF_PORT'];

async function ports(): Promise<Record<string, string>> {
  const names = [...servicePorts, 'METRICS_PORT_BACKEND', 'METRICS_PORT_ORDERS', 'METRICS_PORT_BFF'];
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

interface Program {
  service: ServiceName;
  flags: readonly string[];
  environment: NodeJS.ProcessEnv;
  address: string;
}

const isOther = (name: ProcessName): name is OtherName => name in others;

/** Ports of its own; whoever calls the service still goes to the first process, or to what is in front of all. */
async function besides(service: ServiceName, settings: Settings) {
  const [port, metricsPort] = await Promise.all([freePort(), freePort()]);
  const prefix = service.toUpperCase();
  const { PUBLIC_BFF_URL, PUBLIC_ORDERS_URL, BACKEND_URL, ORDERS_URL } = settings;
  const ports = { [`${prefix}_PORT`]: String(port), [`METRICS_PORT_${prefix}`]: String(metricsPort) };
  const address = serviceAddress(service, { ...settings, [`${prefix}_PORT`]: port });
  return { environment: { PUBLIC_BFF_URL, PUBLIC_ORDERS_URL, BACKEND_URL, ORDERS_URL, ...ports }, address };
}

/** What each process runs; a separate worker serves its health on its own port. */
async function createPrograms(names: readonly ProcessName[], environment: NodeJS.ProcessEnv, settings: Settings) {
  const programs = new Map<ProcessName, Program>();
  const workers = names.flatMap((name) => (isOther(name) && others[name].isWorker ? [others[name].service] : []));
  for (const name of names) {
    const { service, isWorker } = isOther(name) ? others[name] : { service: name, isWorker: false };
    const part = workers.some((one) => one === service) ? ['--api-only'] : [];
    const flags = isWorker ? ['--worker-only'] : part;
    const own = isOther(name)
      ? await besides(service, settings)
      : { environment: {}, address: serviceAddress(service, settings) };
    programs.set(name, { service, flags, address: own.address, environment: { ...environment, ...own.environment } });
  }
  return programs;
}

/** The processes of one stack, by name. */
function createProcesses(programs: Map<ProcessName, Program>, dataFolder: string) {
  const children = new Map<ProcessName, Child>();
  const child = (name: ProcessName): Child => {
    const found = children.get(name);
    if (!found) throw new Error(`This stack has no ${name}`);
    return found;
  };
  const launch = async (name: ProcessName): Promise<void> => {
    const program = programs.get(name);
    if (!program) throw new Error(`This stack has no ${name}`);
    const { service, address, ...how } = program;
    const logFile = join(dataFolder, 'logs', `${name}.log`);
    const started = await startService(service, { ...how, logFile, background: true });
    children.set(name, started);
    await waitUntilServing(started, service, address);
  };
  const addressOf = (name: ProcessName): string => programs.get(name)?.address ?? '';
  return {
    child,
    addressOf,
    launch,
    logs: (lines = 20) => [...children].map(([name, one]) => `== ${name}\n${one.tail(lines)}`).join('\n'),
    // Graceful shutdown has its own tests; here it would cost every file two seconds.
    killAll: async () => {
      for (const one of children.values()) one.kill('SIGKILL');
      await Promise.all([...children.values()].map(({ exited }) => exited));
    },
    kill: async (name: ProcessName, signal: NodeJS.Signals = 'SIGKILL') => {
      child(name).kill(signal);
      await child(name).exited;
    },
    restart: async (name: ProcessName) => {
      await child(name).stop();
      await launch(name);
    },
  };
}

/** Where the first process of each service listens. */
export function addressesOf(settings: Settings): Record<ServiceName, string> {
  const address = (name: ServiceName) => serviceAddress(name, settings);
  return {
    sandbox: address('sandbox'),
    backend: address('backend'),
    orders: address('orders'),
    bff: address('bff'),
  };
}

/**
 * Starts services as `npm start` does, for one test file; end them with `stop()`. If the tests' process dies, they
 * die with it.
 * @throws Error with the last lines of a service that did not come up.
 */
export async function startStack({
  services = everyService,
  env = {},
  web = false,
  postgres,
}: StackOptions = {}): Promise<Stack> {
  const dataFolder = temporaryFolder();
  const logFile = join(dataFolder, 'logs', 'build.log');
  const bundle = bundleNameOf(parseTemporalSettings(env));
  await ensureBuilt([bundle, 'services', 'sandbox', ...(web ? ['web' as const] : [])], { logFile });
  const [database, temporal] = await Promise.all([createDatabase(postgres), createNamespace()]);
  const environment: Record<string, string> = { ...(await environmentOf(database, temporal, dataFolder)), ...env };
  const settings = parseSettings(environment, [...databaseAddresses, ...secretNames]);
  const programs = await createPrograms(services, environment, settings);
  const { killAll, ...processes } = createProcesses(programs, dataFolder);
  let stopped: Promise<void> | undefined;
  const end = async () => {
    await killAll();
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
  const addresses = addressesOf(settings);
  const metrics = {
    sandbox: addresses.sandbox,
    backend: localAddress(settings.METRICS_HOST, settings.METRICS_PORT_BACKEND),
    orders: localAddress(settings.METRICS_HOST, settings.METRICS_PORT_ORDERS),
    bff: localAddress(settings.METRICS_HOST, settings.METRICS_PORT_BFF),
  };
  return { addresses, metrics, settings, environment, database, temporal, dataFolder, ...processes, stop };
}
