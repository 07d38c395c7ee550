import { createOrdersActivities } from '#activities/orders/index.ts';
import { createKeyChecks } from '#clients/bff/key-checks.ts';
import { createGatewayExchange, createPaymentGateway } from '#clients/payment-gateway/client.ts';
import { createOutsideAddresses, type OutsideAddresses } from '#clients/addresses/outside-addresses.ts';
import { createWebhookClient, createWebhookExchange } from '#clients/webhooks/webhook-client.ts';
import { sandboxTokenBy } from '#clients/sandbox/tokens.ts';
import { type Database, ping } from '#db/database.ts';
import { noteFirstPlace, refuseElsewhere } from '#db/place.ts';
import { claimDeliveries, endDelivery } from '#db/orders/merchant-events/relay.ts';
import { createEncryption, type Encryption } from '#db/encryption.ts';
import { createClickTokens } from '#domain/campaigns/revenue/click-token.ts';
import { parseSettings, secretsOf, type Settings } from '#domain/settings/settings.ts';
import { parseTemporalSettings, type TemporalSettings } from '#domain/settings/temporal.ts';
import { taskQueues } from '#temporal.config.ts';
import { createWorkerApp } from '../http/app.ts';
import { createPlatformTokenVerifier, pingIssuer } from '../http/platform-token.ts';
import { createLogger } from '../runtime/logger.ts';
import { internalAuthorities } from '../runtime/pem.ts';
import { type Parts, parseParts } from '../runtime/parts.ts';
import { runService, type Service } from '../runtime/run.ts';
import { createServiceHealth } from '../runtime/readiness.ts';
import { createSealer } from '../runtime/sealer.ts';
import { createSweeper } from '../runtime/recurring/sweeper.ts';
import { createPolling, isPolling, openTemporal, type Polling, type Temporal } from '../runtime/temporal.ts';
import { tracing } from '../runtime/tracing/tracing.ts';
import { together } from '../runtime/together.ts';
import { createOrdersApp } from './app.ts';
import { createKeyCallers } from './keys.ts';
import { createLauncher, type Launcher } from './launch.ts';
import { createRelay } from '../runtime/webhooks/relay.ts';
import { createOrdersMetrics, type OrdersMetrics } from './metrics.ts';
import { openPools } from './pools.ts';
import { createRefusalTrail } from './refusals.ts';
import { notingRuns } from './schedules.ts';

const logger = createLogger('orders', 'info');

const needed = ['DATABASE_URL_ORDERS', ...secretsOf.orders] as const;
type OwnSettings = Settings<(typeof needed)[number]>;

/** How late orphaned work is noticed: a lost signal, or a refund without a workflow. */
const SWEEP_EVERY_MS = 10_000;

function createWorkerPart(
  settings: OwnSettings,
  temporalSettings: TemporalSettings,
  { database, launcher, metrics }: { database: Database; launcher: Launcher; metrics: OrdersMetrics },
) {
  const exchange = createGatewayExchange();
  const own = metrics.countedActivities(
    createOrdersActivities({
      database,
      maxOpenHolds: settings.ORDERS_MAX_OPEN_HOLDS,
      gateway: createPaymentGateway({
        baseUrl: settings.PAYMENT_GATEWAY_BASE_URL,
        key: settings.PAYMENT_GATEWAY_KEY,
        exchange,
      }),
      callbackUrl: `${settings.PUBLIC_ORDERS_URL}/transaction/v1/payment-gateway/callback`,
      resumePayment: launcher.resumePayment,
      startRefund: launcher.startRefund,
      startReport: launcher.startReport,
      traces: tracing(),
    }),
  );
  const polling = createPolling({
    settings: temporalSettings,
    taskQueue: taskQueues.orders,
    activities: notingRuns(database, own),
    logger,
    prepare: launcher.ensureSchedules,
  });
  const close = () => exchange.destroy();
  const sweeper = createSweeper({
    name: 'orders sweep',
    database,
    logger,
    everyMs: SWEEP_EVERY_MS,
    round: async () => {
      await noteFirstPlace(database);
      await own.driveOrders({ now: new Date().toISOString() });
    },
  });
  return { polling: together([polling, sweeper, createSealer({ database, logger })]), close };
}

interface RelayPartDeps {
  database: Database;
  encryption: Encryption;
  targets: OutsideAddresses;
  metrics: OrdersMetrics;
}

/** Sends events to merchants. */
function createRelayPart({ database, encryption, targets, metrics }: RelayPartDeps): {
  polling: Polling;
  close: () => Promise<unknown>;
} {
  const exchange = createWebhookExchange(targets);
  const client = createWebhookClient({ exchange, targets });
  const polling = createRelay({
    database,
    deliveries: { claim: claimDeliveries, end: endDelivery },
    encryption,
    client,
    logger,
    onAttempt: metrics.countDelivery,
  });
  return { polling, close: () => exchange.destroy() };
}

const healthOf = (parts: Parts, database: Database, temporal: Temporal, issuer: string) =>
  createServiceHealth(parts, {
    database: () => ping(database, 'customer_order'),
    temporal: temporal.ping,
    pollers: () => isPolling(temporal, taskQueues.orders),
    adoption: () => refuseElsewhere(database),
    identity: () => pingIssuer(issuer),
  });

/** The authorities for calls between services do not vouch for the public address. */
const openKeyChecks = (settings: OwnSettings) =>
  createKeyChecks({
    baseUrl: settings.BFF_URL,
    secret: settings.INTERNAL_API_SECRET[0],
    authorities: settings.BFF_URL === settings.PUBLIC_BFF_URL ? undefined : internalAuthorities(settings),
  });

async function start(): Promise<Service> {
  const parts = parseParts(process.argv.slice(2));
  const settings = parseSettings(process.env, needed);
  logger.level = settings.LOG_LEVEL;
  const temporalSettings = parseTemporalSettings(process.env);
  const { api: database, worker, relay, destroy } = openPools(settings.DATABASE_URL_ORDERS);
  const temporal = openTemporal(temporalSettings);
  const launcher = createLauncher(temporal.client, settings.PUBLIC_BFF_URL);
  const health = healthOf(parts, database, temporal, settings.IDENTITY_ISSUER);
  const metrics = createOrdersMetrics(health.registry, database);
  const refusals = createRefusalTrail({ database, logger });
  const encryption = createEncryption(settings.ENCRYPTION_KEYS);
  const targets = createOutsideAddresses({ production: settings.NODE_ENV === 'production' });
  const workers = parts.worker
    ? [
        createWorkerPart(settings, temporalSettings, { database: worker, launcher, metrics }),
        createRelayPart({ database: relay, encryption, targets, metrics }),
      ]
    : [];
  const keyChecks = openKeyChecks(settings);
  const app = parts.api
    ? createOrdersApp({
        logger,
        health,
        publicUrl: settings.PUBLIC_ORDERS_URL,
        metrics,
        database,
        launcher,
        verifyToken: createPlatformTokenVerifier({
          issuer: settings.IDENTITY_ISSUER,
          audience: settings.IDENTITY_CLIENT_ID,
        }),
        findKeyCaller: createKeyCallers({
          checks: keyChecks,
          callsPerMinute: settings.LIMIT_API_KEY_CALLS_PER_MINUTE,
          logger,
        }),
        refusals,
        encryption,
        targets,
        webhookSecrets: settings.PAYMENT_GATEWAY_WEBHOOK_SECRET,
        exportsPerMinute: settings.LIMIT_EXPORTS_PER_MINUTE,
        clickTokens: createClickTokens(settings.CLICK_TOKEN_SECRET),
        internalSecrets: settings.INTERNAL_API_SECRET,
        sandboxToken: sandboxTokenBy(settings),
        checkResponses: settings.NODE_ENV !== 'production',
      })
    : createWorkerApp(logger, health);
  const close = async () => {
    await refusals.close();
    await Promise.all([destroy(), keyChecks.destroy(), ...workers.map((part) => part.close())]);
    await temporal.connection.close();
  };
  const polling = parts.worker ? together(workers.map((part) => part.polling)) : null;
  const at = { host: settings.METRICS_HOST, port: settings.METRICS_PORT_ORDERS, registry: health.registry };
  const listener = app.callback();
  return { listener, host: settings.HOST, port: settings.ORDERS_PORT, metrics: at, polling, close };
}

await runService('orders', logger, start);
