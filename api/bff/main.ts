import { fileURLToPath } from 'node:url';
import { createBackendClient } from '#clients/backend/client.ts';
import { createOutsideAddresses } from '#clients/addresses/outside-addresses.ts';
import { createFileService } from '#clients/files/file-service.ts';
import { createImageReader } from '#clients/files/image-reader.ts';
import { createHttpExchange } from '#clients/http/exchange.ts';
import { createSlotRegistration } from '#clients/platform/embed-configuration.ts';
import { sandboxTokenBy } from '#clients/sandbox/tokens.ts';
import { createBffActivities } from '#activities/bff/index.ts';
import { type OpenBffDatabase, openBffDatabase } from '#db/bff/database.ts';
import { createEncryption } from '#db/encryption.ts';
import { parseSettings, secretsOf, type Settings } from '#domain/settings/settings.ts';
import { parseTemporalSettings, type TemporalSettings } from '#domain/settings/temporal.ts';
import { taskQueues } from '#temporal.config.ts';
import { createWorkerApp } from '../http/app.ts';
import type { Health } from '../http/health.ts';
import { pingIssuer } from '../http/platform-token.ts';
import { createLogger } from '../runtime/logger.ts';
import { type Parts, parseParts } from '../runtime/parts.ts';
import { createPayloadCodec } from '../runtime/payload-codec.ts';
import { internalAuthorities } from '../runtime/pem.ts';
import { runService, type Service } from '../runtime/run.ts';
import { createServiceHealth } from '../runtime/readiness.ts';
import { recurringGauges } from '../runtime/recurring/runs.ts';
import { createPolling, isPolling, openTemporal, type Temporal } from '../runtime/temporal.ts';
import { createBffApp } from './app.ts';
import { createIdentityService } from './identity/identity-service.ts';
import { createLauncher } from './launch.ts';
import { startSweeping, SWEEP_ALLOWED_SECONDS } from './sweep.ts';

const logger = createLogger('bff', 'info');

const needed = ['DATABASE_URL_BFF', ...secretsOf.bff] as const;
type OwnSettings = Settings<(typeof needed)[number]>;

const consoleFolder = fileURLToPath(new URL('../../dist/web', import.meta.url));

/** A platform that waits ten seconds for a response gets one in time. */
const LIFECYCLE_DEADLINE_MS = 8000;

/** For registering slots, the only call that the BFF makes to the platform. */
const PLATFORM_TIMEOUT_MS = 15_000;
const PLATFORM_CONNECTIONS = 8;

/** A picture of 5 MiB may take a while, and the console shows that it does. */
const FILES_TIMEOUT_MS = 30_000;
const FILES_CONNECTIONS = 8;

const identityOf = (settings: OwnSettings) =>
  createIdentityService({
    issuer: settings.IDENTITY_ISSUER,
    clientId: settings.IDENTITY_CLIENT_ID,
    clientSecret: settings.IDENTITY_CLIENT_SECRET,
    publicUrl: settings.PUBLIC_BFF_URL,
  });

/** Null if payloads are not encrypted or nobody may decrypt them. */
function codecOf(
  { TEMPORAL_CODEC_ROLE: role, TEMPORAL_UI_URL: uiUrl }: OwnSettings,
  { payloadKeys }: TemporalSettings,
) {
  return role === undefined || !payloadKeys ? null : { codec: createPayloadCodec(payloadKeys), role, uiUrl };
}

const addressesOf = (settings: OwnSettings, authorities: Buffer | undefined, temporal: TemporalSettings) => ({
  codec: codecOf(settings, temporal),
  publicUrl: settings.PUBLIC_BFF_URL,
  backendUrl: settings.BACKEND_URL,
  ordersUrl: settings.ORDERS_URL,
  authorities,
  internalSecrets: settings.INTERNAL_API_SECRET,
  temporalUiUrl: settings.TEMPORAL_UI_URL,
  temporalNamespace: temporal.namespace,
  sandbox: settings.SANDBOX,
  sandboxToken: sandboxTokenBy(settings),
  toolApiEnabled: settings.TOOL_API_ENABLED,
  securityContact: settings.SECURITY_CONTACT ?? null,
  embedAllowedOrigins: settings.EMBED_ALLOWED_ORIGINS,
});

/** The systems that this service calls. */
function openSystems(settings: OwnSettings, authorities: Buffer | undefined) {
  const [secret] = settings.INTERNAL_API_SECRET;
  const backend = createBackendClient({ baseUrl: settings.BACKEND_URL, secret, authorities });
  const platform = createHttpExchange({ timeoutMs: PLATFORM_TIMEOUT_MS, connections: PLATFORM_CONNECTIONS });
  const exchange = createHttpExchange({ timeoutMs: FILES_TIMEOUT_MS, connections: FILES_CONNECTIONS });
  const reader = createImageReader(createOutsideAddresses({ production: settings.NODE_ENV === 'production' }));
  const { FILES_URL: baseUrl, FILES_TOKEN: token } = settings;
  return {
    backend,
    register: createSlotRegistration({ baseUrl: settings.PLATFORM_BASE_URL, exchange: platform }),
    reader,
    files: baseUrl === null ? null : createFileService({ baseUrl, token, exchange }),
    close: async () => void (await Promise.all([backend.close(), platform.close(), exchange.close(), reader.close()])),
  };
}

function watchedHealth(parts: Parts, database: OpenBffDatabase, temporal: Temporal, issuer: string): Health {
  const health = createServiceHealth(parts, {
    database: database.ping,
    temporal: temporal.ping,
    pollers: () => isPolling(temporal, taskQueues.bff),
    identity: () => pingIssuer(issuer),
  });
  recurringGauges(health.registry, database.connection, { sweepSeconds: SWEEP_ALLOWED_SECONDS });
  return health;
}

async function start(): Promise<Service> {
  const parts = parseParts(process.argv.slice(2));
  const settings = parseSettings(process.env, needed);
  const temporalSettings = parseTemporalSettings(process.env);
  logger.level = settings.LOG_LEVEL;
  const publicUrl = settings.PUBLIC_BFF_URL;
  const authorities = internalAuthorities(settings);
  const database = openBffDatabase({
    url: settings.DATABASE_URL_BFF,
    encryption: createEncryption(settings.ENCRYPTION_KEYS),
    applicationName: 'bff',
  });
  const { backend, register, close: closeSystems, ...pictures } = openSystems(settings, authorities);
  const temporal = openTemporal(temporalSettings);
  const launch = createLauncher(temporal.client, logger);

  const health = watchedHealth(parts, database, temporal, settings.IDENTITY_ISSUER);
  const activities = createBffActivities({ database, backend, register, publicUrl });
  const polling = parts.worker
    ? createPolling({ settings: temporalSettings, taskQueue: taskQueues.bff, activities, logger })
    : null;
  const bff = parts.api
    ? createBffApp({
        ...identityOf(settings),
        ...addressesOf(settings, authorities, temporalSettings),
        database,
        backend,
        launch,
        logger,
        appId: settings.PLATFORM_APP_ID,
        appSecrets: settings.PLATFORM_APP_SECRET,
        lifecycleDeadlineMs: LIFECYCLE_DEADLINE_MS,
        consoleFolder,
        ...pictures,
        health,
        limitSettings: settings,
        checkResponses: settings.NODE_ENV !== 'production',
      })
    : null;
  const stopSweeping = parts.worker
    ? startSweeping({ database, launch, publicUrl, eventDays: settings.RETENTION_EVENTS_DAYS, logger })
    : () => Promise.resolve();
  return {
    listener: bff?.listener ?? createWorkerApp(logger, health).callback(),
    host: settings.HOST,
    port: settings.BFF_PORT,
    metrics: { registry: health.registry, host: settings.METRICS_HOST, port: settings.METRICS_PORT_BFF },
    polling,
    ...(bff ? { endStreams: bff.endStreams } : {}),
    close: async () => {
      await stopSweeping();
      await bff?.close();
      await Promise.all([closeSystems(), database.close()]);
      await temporal.connection.close();
    },
  };
}

await runService('bff', logger, start);
