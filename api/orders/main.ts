import { createOrdersActivities } from '../../activities/orders/index.ts';
import { createGatewayExchange, createPaymentGateway } from '../../clients/payment-gateway/client.ts';
import { connect } from '../../db/connection.ts';
import { ping } from '../../db/database.ts';
import { parseSettings, type Settings } from '../../domain/settings.ts';
import { parseTemporalSettings, taskQueues, type TemporalSettings } from '../../temporal.config.ts';
import { createWorkerApp } from '../http/app.ts';
import { createHealth } from '../http/health.ts';
import { createPlatformTokenVerifier } from '../http/platform-token.ts';
import { createLogger } from '../runtime/logger.ts';
import { parseParts } from '../runtime/parts.ts';
import { runService, type Service } from '../runtime/run.ts';
import { createPolling, hasPollers, openTemporal } from '../runtime/temporal.ts';
import { createOrdersApp } from './app.ts';
import { createLauncher, type Launcher } from './launch.ts';
import { createOrdersMetrics, type OrdersMetrics } from './metrics.ts';

const logger = createLogger('orders', 'info');

/** The worker has its own connections, so that a burst of requests cannot stop payments. */
function createWorkerPart(
  settings: Settings<'DATABASE_URL_ORDERS'>,
  temporalSettings: TemporalSettings,
  { launcher, metrics }: { launcher: Launcher; metrics: OrdersMetrics },
) {
  const database = connect({ url: settings.DATABASE_URL_ORDERS, schema: 'orders', applicationName: 'orders-worker' });
  const exchange = createGatewayExchange();
  const activities = createOrdersActivities({
    database,
    gateway: createPaymentGateway({
      baseUrl: settings.PAYMENT_GATEWAY_BASE_URL,
      key: settings.PAYMENT_GATEWAY_KEY,
      exchange,
    }),
    callbackUrl: `${settings.PUBLIC_ORDERS_URL}/transaction/v1/payment-gateway/callback`,
    resumePayment: launcher.resumePayment,
    startRefund: launcher.startRefund,
  });
  const polling = createPolling({
    settings: temporalSettings,
    taskQueue: taskQueues.orders,
    activities: metrics.countedActivities(activities),
    logger,
    prepare: launcher.ensureSweep,
  });
  return { polling, close: () => Promise.all([database.destroy(), exchange.destroy()]) };
}

async function start(): Promise<Service> {
  const parts = parseParts(process.argv.slice(2));
  const settings = parseSettings(process.env, ['DATABASE_URL_ORDERS']);
  logger.level = settings.LOG_LEVEL;
  const temporalSettings = parseTemporalSettings(process.env);
  const database = connect({ url: settings.DATABASE_URL_ORDERS, schema: 'orders', applicationName: 'orders-api' });
  const temporal = openTemporal(temporalSettings);
  const launcher = createLauncher(temporal.client);
  const health = createHealth(settings.METRICS_HOST, {
    database: () => ping(database, 'customer_order'),
    temporal: temporal.ping,
    pollers: () => hasPollers(temporal, taskQueues.orders),
  });
  const metrics = createOrdersMetrics(health.registry, database);
  const worker = parts.worker ? createWorkerPart(settings, temporalSettings, { launcher, metrics }) : null;
  const app = parts.api
    ? createOrdersApp({
        logger,
        health,
        metrics,
        database,
        launcher,
        verifyToken: createPlatformTokenVerifier({
          issuer: settings.IDENTITY_ISSUER,
          audience: settings.IDENTITY_CLIENT_ID,
        }),
        webhookSecret: settings.PAYMENT_GATEWAY_WEBHOOK_SECRET,
        checkResponses: settings.NODE_ENV !== 'production',
      })
    : createWorkerApp(logger, health);
  const close = async () => {
    await Promise.all([database.destroy(), worker?.close()]);
    await temporal.connection.close();
  };
  return { app, host: settings.HOST, port: settings.ORDERS_PORT, polling: worker?.polling ?? null, close };
}

await runService('orders', logger, start);
