import { collectDefaultMetrics, Registry } from 'prom-client';
import { createOrdersActivities } from '../../activities/orders/index.ts';
import { createPaymentGateway } from '../../activities/payment-gateway/client.ts';
import { connect } from '../../db/connection.ts';
import { ping } from '../../db/orders/ping.ts';
import { parseSettings, type Settings } from '../../domain/settings.ts';
import { parseTemporalSettings, taskQueues } from '../../temporal.config.ts';
import type { ReadinessCheck } from '../http/health.ts';
import { createPlatformTokenVerifier } from '../http/platform-token.ts';
import { createLogger } from '../runtime/logger.ts';
import { runService, type Service } from '../runtime/run.ts';
import { connectTemporal, createWorker, type TemporalConnection } from '../runtime/temporal.ts';
import { createOrdersApp } from './app.ts';
import { createLauncher, type Launcher } from './launch.ts';

const logger = createLogger('orders', 'info');

type Worker = Awaited<ReturnType<typeof createWorker>>;

/** The worker has connections of its own, so that no burst of requests keeps payments from going on. */
async function startWorker(settings: Settings, temporal: TemporalConnection, namespace: string, launcher: Launcher) {
  const database = connect({ url: settings.DATABASE_URL_ORDERS, schema: 'orders', applicationName: 'orders-worker' });
  const activities = createOrdersActivities({
    database,
    gateway: createPaymentGateway({
      baseUrl: settings.PAYMENT_GATEWAY_BASE_URL,
      key: settings.PAYMENT_GATEWAY_KEY,
    }),
    callbackUrl: `${settings.PUBLIC_ORDERS_URL}/transaction/v1/payment-gateway/callback`,
    drivePayment: launcher.drivePayment,
    startRefund: launcher.startRefund,
  });
  const worker = await createWorker({
    connection: temporal.connection,
    namespace,
    taskQueue: taskQueues.orders,
    activities,
  });
  return { worker, database };
}

const pollerCheck =
  (workers: Worker[]): ReadinessCheck =>
  async () => {
    for (const worker of workers)
      if (worker.getState() !== 'RUNNING') throw new Error(`the worker is ${worker.getState()}`);
  };

async function start(): Promise<Service> {
  const settings = parseSettings(process.env);
  logger.level = settings.LOG_LEVEL;
  const temporalSettings = parseTemporalSettings(process.env);
  const database = connect({ url: settings.DATABASE_URL_ORDERS, schema: 'orders', applicationName: 'orders-api' });
  const temporal = await connectTemporal(temporalSettings);
  const launcher = createLauncher(temporal.client);
  // `--api-only` leaves the polling to other processes.
  const polling = process.argv.includes('--api-only')
    ? null
    : await startWorker(settings, temporal, temporalSettings.namespace, launcher);
  const workers = polling ? [polling.worker] : [];
  await launcher.ensureSweep();
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const app = createOrdersApp({
    logger,
    registry,
    metricsHost: settings.METRICS_HOST,
    database,
    launcher,
    verifyToken: createPlatformTokenVerifier({
      issuer: settings.IDENTITY_ISSUER,
      audience: settings.IDENTITY_CLIENT_ID,
    }),
    webhookSecret: settings.PAYMENT_GATEWAY_WEBHOOK_SECRET,
    checkAnswers: settings.NODE_ENV !== 'production',
    checks: {
      database: () => ping(database),
      temporal: async () => {
        await temporal.connection.workflowService.getSystemInfo({});
      },
      workers: pollerCheck(workers),
    },
  });
  const close = async () => {
    await Promise.all([database.destroy(), polling?.database.destroy()]);
    await temporal.connection.close();
  };
  return { app, host: settings.HOST, port: settings.ORDERS_PORT, workers, close };
}

await runService('orders', logger, start);
