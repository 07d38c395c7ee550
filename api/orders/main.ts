import { createOrdersActivities } from '../../activities/orders/index.ts';
import { createPaymentGateway } from '../../activities/payment-gateway/client.ts';
import { connect } from '../../db/connection.ts';
import { ping } from '../../db/orders/ping.ts';
import { parseSettings, type Settings } from '../../domain/settings.ts';
import { parseTemporalSettings, taskQueues } from '../../temporal.config.ts';
import { createWorkerApp } from '../http/app.ts';
import { createHealth } from '../http/health.ts';
import { createPlatformTokenVerifier } from '../http/platform-token.ts';
import { createLogger } from '../runtime/logger.ts';
import { parseParts } from '../runtime/parts.ts';
import { runService, type Service } from '../runtime/run.ts';
import { connectTemporal, createWorker, hasPollers, type TemporalConnection } from '../runtime/temporal.ts';
import { createOrdersApp } from './app.ts';
import { createLauncher, type Launcher } from './launch.ts';

const logger = createLogger('orders', 'info');

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

async function start(): Promise<Service> {
  const parts = parseParts(process.argv.slice(2));
  const settings = parseSettings(process.env);
  logger.level = settings.LOG_LEVEL;
  const temporalSettings = parseTemporalSettings(process.env);
  const { namespace } = temporalSettings;
  const database = connect({ url: settings.DATABASE_URL_ORDERS, schema: 'orders', applicationName: 'orders-api' });
  const temporal = await connectTemporal(temporalSettings);
  const launcher = createLauncher(temporal.client);
  const polling = parts.worker ? await startWorker(settings, temporal, namespace, launcher) : null;
  await launcher.ensureSweep();
  const health = createHealth(settings.METRICS_HOST, {
    database: () => ping(database),
    temporal: async () => void (await temporal.connection.workflowService.getSystemInfo({})),
    pollers: () => hasPollers(temporal.connection, namespace, taskQueues.orders),
  });
  const app = parts.api
    ? createOrdersApp({
        logger,
        health,
        database,
        launcher,
        verifyToken: createPlatformTokenVerifier({
          issuer: settings.IDENTITY_ISSUER,
          audience: settings.IDENTITY_CLIENT_ID,
        }),
        webhookSecret: settings.PAYMENT_GATEWAY_WEBHOOK_SECRET,
        checkAnswers: settings.NODE_ENV !== 'production',
      })
    : createWorkerApp(logger, health);
  const close = async () => {
    await Promise.all([database.destroy(), polling?.database.destroy()]);
    await temporal.connection.close();
  };
  return { app, host: settings.HOST, port: settings.ORDERS_PORT, workers: polling ? [polling.worker] : [], close };
}

await runService('orders', logger, start);
