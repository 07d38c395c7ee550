import { Registry, collectDefaultMetrics } from 'prom-client';
import { ping } from '../../db/orders/ping.ts';
import { connect } from '../../db/connection.ts';
import { parseSettings } from '../../domain/settings.ts';
import { parseTemporalSettings } from '../../temporal.config.ts';
import { createPlatformTokenVerifier } from '../http/platform-token.ts';
import { createLogger } from '../runtime/logger.ts';
import { runService, type Service } from '../runtime/run.ts';
import { connectTemporal } from '../runtime/temporal.ts';
import { createOrdersApp } from './app.ts';

const logger = createLogger('orders', 'info');

async function start(): Promise<Service> {
  const settings = parseSettings(process.env);
  logger.level = settings.LOG_LEVEL;
  const temporalSettings = parseTemporalSettings(process.env);
  const database = connect({ url: settings.DATABASE_URL_ORDERS, schema: 'orders', applicationName: 'orders' });
  const { connection } = await connectTemporal(temporalSettings);
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const app = createOrdersApp({
    logger,
    registry,
    metricsHost: settings.METRICS_HOST,
    verifyToken: createPlatformTokenVerifier({
      issuer: settings.IDENTITY_ISSUER,
      audience: settings.IDENTITY_CLIENT_ID,
    }),
    checks: {
      database: () => ping(database),
      temporal: async () => {
        await connection.workflowService.getSystemInfo({});
      },
    },
  });
  return {
    app,
    host: settings.HOST,
    port: settings.ORDERS_PORT,
    workers: [],
    close: async () => {
      await database.destroy();
      await connection.close();
    },
  };
}

await runService('orders', logger, start);
