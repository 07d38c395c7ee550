import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { isLoopback } from '#domain/settings/loopback.ts';
import {
  databaseAddresses,
  derivedRoles,
  parseSettings,
  roleAddresses,
  roleUrl,
  type EverySetting,
  secretNames,
  type Settings,
  SettingsError,
} from '#domain/settings/settings.ts';
import { parseTemporalSettings, type TemporalSettings } from '#domain/settings/temporal.ts';
import type { NeededPort } from './ports.ts';

/** Everything the start needs to know. */
export interface StartSettings {
  settings: EverySetting;
  temporal: TemporalSettings;
  /** Absent if TEMPORAL_ADDRESS names a server. */
  embeddedTemporal: { port: number; uiPort: number } | undefined;
  /** Absent if DATABASE_URL names a server. */
  embeddedPostgres: { port: number } | undefined;
  dataFolder: string;
  /** The environment of the services. */
  environment: NodeJS.ProcessEnv;
}

const port = (value: number) => z.coerce.number().int().min(1).max(65535).default(value);

/** Settings of the start alone: ports for the embedded servers, so that several checkouts fit on one machine. */
export const embeddedShape = {
  EMBEDDED_POSTGRES_PORT: port(5433).describe('of the PostgreSQL that `npm start` starts'),
  EMBEDDED_TEMPORAL_PORT: port(7233).describe(
    'of the Temporal server that `npm start` starts; its UI is 1000 above, so that several checkouts fit on one machine',
  ),
};
const schema = z.object(embeddedShape);

function parseEmbedded(environment: NodeJS.ProcessEnv): z.infer<typeof schema> {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const lines = result.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`);
  throw new SettingsError(`Invalid settings. ${lines.join('; ')}`);
}

/** For the server that we start: in production its roles get passwords that are valid for this start only. */
function embeddedAddresses(given: NodeJS.ProcessEnv, port: number): { DATABASE_URL: string } {
  const owner = `postgres://postgres:postgres@127.0.0.1:${port}/outreach_platform`;
  if (given.NODE_ENV !== 'production') return { DATABASE_URL: owner };
  const drawn = Object.entries(derivedRoles).map(([name, role]) => [
    name,
    given[name] || roleUrl(owner, role, randomBytes(24).toString('base64url')),
  ]);
  return { DATABASE_URL: owner, ...Object.fromEntries(drawn) };
}

const uiPortBeside = (temporalPort: number): number => temporalPort + 1000;

const embeddedTemporalEnvironment = (given: NodeJS.ProcessEnv, port: number) => ({
  TEMPORAL_ADDRESS: `127.0.0.1:${port}`,
  TEMPORAL_UI_URL: given.TEMPORAL_UI_URL || `http://127.0.0.1:${uiPortBeside(port)}`,
  // Workers with a release would wait for somebody to make it current.
  TEMPORAL_BUILD_ID: undefined,
});

/**
 * Parses the environment of the start.
 * @throws Error with one line that names each invalid variable.
 */
export function parseStartSettings(given: NodeJS.ProcessEnv): StartSettings {
  const embedded = parseEmbedded(given);
  const own = given.DATABASE_URL ? undefined : embeddedAddresses(given, embedded.EMBEDDED_POSTGRES_PORT);
  const ownTemporal = !given.TEMPORAL_ADDRESS;
  const environment: NodeJS.ProcessEnv = {
    ...given,
    ...own,
    ...(ownTemporal ? embeddedTemporalEnvironment(given, embedded.EMBEDDED_TEMPORAL_PORT) : {}),
  };
  // The owner of a server that we start needs no secret: it listens only on this machine.
  const settings = own
    ? { ...parseSettings(environment, [...roleAddresses, ...secretNames]), ...own }
    : parseSettings(environment, [...databaseAddresses, ...secretNames]);
  const ui = new URL(settings.TEMPORAL_UI_URL);
  const uiPort =
    isLoopback(ui.hostname) && ui.port !== '' ? Number(ui.port) : uiPortBeside(embedded.EMBEDDED_TEMPORAL_PORT);
  const dataFolder = resolve(settings.DATA_DIR);
  return {
    settings,
    temporal: parseTemporalSettings(environment),
    embeddedTemporal: ownTemporal ? { port: embedded.EMBEDDED_TEMPORAL_PORT, uiPort } : undefined,
    embeddedPostgres: own ? { port: embedded.EMBEDDED_POSTGRES_PORT } : undefined,
    dataFolder,
    environment: { ...environment, DATA_DIR: dataFolder },
  };
}

const metricsPorts = (settings: Settings): NeededPort[] =>
  (['BFF', 'BACKEND', 'ORDERS'] as const).map((name) => ({
    port: settings[`METRICS_PORT_${name}`],
    host: settings.METRICS_HOST,
    setting: `METRICS_PORT_${name}`,
    what: `metrics of ${name.toLowerCase()}`,
  }));

/** Every port that the start is about to use. */
export function neededPorts({ settings, embeddedTemporal, embeddedPostgres }: StartSettings): NeededPort[] {
  const host = settings.HOST;
  const embeddedHost = '127.0.0.1';
  const ports: NeededPort[] = [
    { port: settings.BFF_PORT, host, setting: 'BFF_PORT', what: 'bff' },
    { port: settings.BACKEND_PORT, host, setting: 'BACKEND_PORT', what: 'backend' },
    { port: settings.ORDERS_PORT, host, setting: 'ORDERS_PORT', what: 'orders' },
    ...metricsPorts(settings),
  ];
  if (settings.SANDBOX) ports.push({ port: settings.SANDBOX_PORT, host, setting: 'SANDBOX_PORT', what: 'sandbox' });
  if (embeddedPostgres) {
    const setting = 'EMBEDDED_POSTGRES_PORT or DATABASE_URL';
    ports.push({ port: embeddedPostgres.port, host: embeddedHost, setting, what: 'PostgreSQL' });
  }
  if (embeddedTemporal) {
    const setting = 'EMBEDDED_TEMPORAL_PORT or TEMPORAL_ADDRESS';
    ports.push({ port: embeddedTemporal.port, host: embeddedHost, setting, what: 'Temporal' });
    ports.push({ port: embeddedTemporal.uiPort, host: embeddedHost, setting: 'TEMPORAL_UI_URL', what: 'Temporal UI' });
  }
  return ports;
}

/** The folders and files under DATA_DIR. */
export const dataPaths = (dataFolder: string) => ({
  postgres: join(dataFolder, 'postgresql'),
  temporal: join(dataFolder, 'temporal', 'temporal.db'),
  processes: join(dataFolder, 'run', 'processes.json'),
  log: (name: string) => join(dataFolder, 'logs', `${name}.log`),
});
