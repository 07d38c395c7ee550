import { collectDefaultMetrics, Registry } from 'prom-client';
import { callTimeoutMs } from '../../activities/outreach/deps.ts';
import { createOutreachActivities } from '../../activities/outreach/index.ts';
import { createPlatformGateway } from '../../activities/platform/gateway.ts';
import { createHttpExchange } from '../../activities/platform/http-exchange.ts';
import { connect } from '../../db/connection.ts';
import { createEncryption } from '../../db/encryption.ts';
import { ping } from '../../db/outreach/ping.ts';
import { parseSettings, type Settings, SettingsError } from '../../domain/settings.ts';
import { parseTemporalSettings, taskQueues } from '../../temporal.config.ts';
import { createApp } from '../http/app.ts';
import { healthRoutes, type ReadinessCheck } from '../http/health.ts';
import { createLogger } from '../runtime/logger.ts';
import { runService, type Service } from '../runtime/run.ts';
import { connectTemporal, createWorker, hasPollers } from '../runtime/temporal.ts';
import { createBackendApp, INTERNAL_PREFIX } from './app.ts';
import { createFlows, createLauncher, ensureSchedules } from './launch.ts';
import { createPlatformTasks } from './platform-tasks.ts';
import { inboxRouter, type InboxRouterOptions } from './routes/inbox/route.ts';

const logger = createLogger('backend', 'info');

/** Connections to the platform at once; calls beyond that wait for one. */
const PLATFORM_CONNECTIONS = 64;

/** `--api-only` and `--worker-only` split the program; together they would leave nothing. */
function parseParts(argv: string[]): { api: boolean; worker: boolean } {
  const unknown = argv.filter((flag) => flag !== '--api-only' && flag !== '--worker-only');
  if (unknown.length > 0) throw new SettingsError(`Unknown flag ${unknown[0]}; there are --api-only and --worker-only`);
  const parts = { api: !argv.includes('--worker-only'), worker: !argv.includes('--api-only') };
  if (!parts.api && !parts.worker) throw new SettingsError('--api-only and --worker-only exclude each other');
  return parts;
}

function connectDatabase(settings: Settings) {
  return connect({
    url: settings.DATABASE_URL_BACKEND,
    schema: 'outreach',
    applicationName: 'backend',
    pool: { max: 20 },
  });
}

function intakeRouter(settings: Settings, deps: Pick<InboxRouterOptions, 'database' | 'launcher' | 'logger'>) {
  return inboxRouter({
    ...deps,
    prefix: INTERNAL_PREFIX,
    partitions: settings.INBOX_PARTITIONS,
    internalSecret: settings.INTERNAL_API_SECRET,
    checkAnswers: settings.NODE_ENV !== 'production',
  });
}

function backendHealth({ METRICS_HOST: metricsHost }: Settings, checks: Record<string, ReadinessCheck>) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return healthRoutes({ registry, metricsHost, checks });
}

async function start(): Promise<Service> {
  const parts = parseParts(process.argv.slice(2));
  const settings = parseSettings(process.env);
  const temporalSettings = parseTemporalSettings(process.env);
  logger.level = settings.LOG_LEVEL;
  const { namespace } = temporalSettings;
  const database = connectDatabase(settings);
  const encryption = createEncryption(settings.ENCRYPTION_KEY);
  const exchange = createHttpExchange({ timeoutMs: callTimeoutMs, connections: PLATFORM_CONNECTIONS });
  const gateway = createPlatformGateway({ baseUrl: settings.PLATFORM_BASE_URL, exchange });
  const { connection, client } = await connectTemporal(temporalSettings);
  const now = () => new Date();

  const launcher = createLauncher(client);
  const activities = createOutreachActivities({
    database,
    encryption,
    gateway,
    settings,
    now,
    launcher,
    log: logger,
  });
  const workers = parts.worker
    ? [await createWorker({ connection, namespace, taskQueue: taskQueues.outreach, activities })]
    : [];
  await ensureSchedules(client);

  const health = backendHealth(settings, {
    database: () => ping(database),
    temporal: async () => void (await connection.workflowService.getSystemInfo({})),
    pollers: () => hasPollers(connection, namespace, taskQueues.outreach),
  });
  const backend = parts.api
    ? createBackendApp({
        db: database,
        encryption,
        logger,
        now,
        flows: createFlows(client, database),
        platform: createPlatformTasks(gateway, database, encryption),
        appId: settings.PLATFORM_APP_ID,
        internalSecret: settings.INTERNAL_API_SECRET,
        checkAnswers: settings.NODE_ENV !== 'production',
      })
    : null;
  backend?.mount(intakeRouter(settings, { database, launcher, logger }));
  const app = backend?.app ?? createApp(logger);
  app.use(health.routes());
  return {
    app,
    host: settings.HOST,
    port: settings.BACKEND_PORT,
    workers,
    ...(backend ? { endStreams: backend.endStreams } : {}),
    close: async () => {
      await database.destroy();
      await exchange.close();
      await connection.close();
    },
  };
}

await runService('backend', logger, start);
