import type { Registry } from 'prom-client';
import { createChatCompletions } from '#clients/ai/chat-completions.ts';
import { CALL_TIMEOUT_MS, type OutreachDeps, sleepFor } from '#activities/outreach/deps.ts';
import { createInboxRescue } from '#activities/outreach/inbox/rescue.ts';
import { createOutreachActivities } from '#activities/outreach/index.ts';
import { createRevenueReader, type RevenueReaderDeps } from '#activities/outreach/revenue/reader.ts';
import { createPacing } from '#activities/outreach/pacing/pacing.ts';
import { createOutsideAddresses, type OutsideAddresses } from '#clients/addresses/outside-addresses.ts';
import { createHttpExchange } from '#clients/http/exchange.ts';
import { createAttributionClient } from '#clients/orders/attribution.ts';
import { createWaitingRefundClient } from '#clients/orders/waiting-refunds.ts';
import { createPlatformGateway } from '#clients/platform/gateway.ts';
import { createWebhookClient, createWebhookExchange } from '#clients/webhooks/webhook-client.ts';
import { findCampaignNames } from '#db/outreach/campaigns/names.ts';
import { claimDeliveries, noteAttempt } from '#db/outreach/webhooks/relay.ts';
import { settleDelivery } from '#db/webhooks/claims.ts';
import { createEncryption, type Encryption } from '#db/encryption.ts';
import { type Database, ping } from '#db/database.ts';
import { noteFirstPlace, refuseElsewhere } from '#db/place.ts';
import { createClickTokens } from '#domain/campaigns/revenue/click-token.ts';
import { retentionOf } from '#domain/retention.ts';
import { parseSettings, secretsOf, type Settings } from '#domain/settings/settings.ts';
import { parseTemporalSettings, type TemporalSettings } from '#domain/settings/temporal.ts';
import { drainMs, taskQueues } from '#temporal.config.ts';
import { createWorkerApp } from '../http/app.ts';
import { healthRoutes } from '../http/health.ts';
import { createLogger } from '../runtime/logger.ts';
import { type Parts, parseParts } from '../runtime/parts.ts';
import { internalAuthorities } from '../runtime/pem.ts';
import { runService, type Service } from '../runtime/run.ts';
import { createServiceHealth } from '../runtime/readiness.ts';
import { createSealer } from '../runtime/sealer.ts';
import { createSweeper } from '../runtime/recurring/sweeper.ts';
import { createPolling, isPolling, openTemporal, type Polling, type Temporal } from '../runtime/temporal.ts';
import { tracing } from '../runtime/tracing/tracing.ts';
import { together } from '../runtime/together.ts';
import { createRelay } from '../runtime/webhooks/relay.ts';
import { createBackendApp, INTERNAL_PREFIX } from './app.ts';
import { createLauncher } from './launch.ts';
import type { NameCampaign } from './workflows/campaign-subject.ts';
import { type BackendMetrics, createBackendMetrics } from './metrics.ts';
import { createPlatformTasks } from './platform-tasks.ts';
import { openPools } from './pools.ts';
import { createRefusalTrail } from './refusals.ts';
import { ensureSchedules, notingRuns } from './schedules.ts';
import { createUploads, uploadLimits } from './routes/audiences/uploads.ts';
import { inboxRouter, type InboxRouterOptions } from './routes/inbox/intake-route.ts';

const logger = createLogger('backend', 'info');

const needed = ['DATABASE_URL_BACKEND', ...secretsOf.backend] as const;
type OwnSettings = Settings<(typeof needed)[number]>;

/** Kept connections to the platform. Further calls wait for one, except A1, which uses connections of its own. */
const PLATFORM_CONNECTIONS = 64;

/** How late the end of a campaign, or a lost start, is noticed. */
const SWEEP_EVERY_MS = 15_000;

/** A person is waiting for the text. */
const AI_TIMEOUT_MS = 30_000;
const AI_CONNECTIONS = 8;

/** Null if no model is configured; an address without a model does not count. */
function openTextModel({ AI_BASE_URL: baseUrl, AI_API_KEY: apiKey, AI_MODEL: model }: OwnSettings) {
  if (baseUrl === undefined || model === undefined) return { textModel: null, closeModel: () => Promise.resolve() };
  const exchange = createHttpExchange({ timeoutMs: AI_TIMEOUT_MS, connections: AI_CONNECTIONS });
  const textModel = createChatCompletions({ baseUrl, apiKey, model, exchange });
  return { textModel, closeModel: () => exchange.destroy() };
}

function intakeRouter(
  settings: OwnSettings,
  deps: Pick<InboxRouterOptions, 'database' | 'launcher' | 'logger' | 'metrics'>,
) {
  return inboxRouter({
    ...deps,
    prefix: INTERNAL_PREFIX,
    partitions: settings.INBOX_PARTITIONS,
    internalSecrets: settings.INTERNAL_API_SECRET,
    checkResponses: settings.NODE_ENV !== 'production',
  });
}

function createOutreachPolling(
  deps: OutreachDeps,
  settings: TemporalSettings,
  temporal: Temporal,
  metrics: BackendMetrics,
): Polling {
  const { database } = deps;
  const own = metrics.counted(createOutreachActivities(deps));
  const activities = notingRuns(database, own);
  const prepare = () => ensureSchedules(temporal.client);
  const polling = createPolling({ settings, taskQueue: taskQueues.outreach, activities, logger, prepare });
  const sweeper = createSweeper({
    name: 'outreach sweep',
    database,
    logger,
    everyMs: SWEEP_EVERY_MS,
    round: async () => {
      await noteFirstPlace(database);
      await own.sweepOutreachRows();
    },
  });
  return together([polling, sweeper, createInboxRescue(deps), createSealer({ database, logger })]);
}

/** What people call a campaign, and where its page in the console is. */
const naming =
  (database: Database, consoleUrl: string): NameCampaign =>
  async (campaign) => {
    const names = await findCampaignNames(database, campaign);
    return names && { ...names, page: `${consoleUrl}/app/campaigns/${campaign.campaignId}` };
  };

const apiSettings = (settings: OwnSettings) => ({
  appId: settings.PLATFORM_APP_ID,
  retention: retentionOf(settings),
  pollIntervalMs: settings.POLL_INTERVAL_MS,
  callsPerSecond: settings.PLATFORM_CALLS_PER_SECOND,
  internalSecrets: settings.INTERNAL_API_SECRET,
  checkResponses: settings.NODE_ENV !== 'production',
  toolApiEnabled: settings.TOOL_API_ENABLED,
  previewsPerMinute: settings.LIMIT_PREVIEWS_PER_MINUTE,
  automationsLookMs: settings.AUTOMATIONS_LOOK_MS ?? null,
  automationsPerTenant: settings.LIMIT_AUTOMATIONS_PER_TENANT,
  rulesPerTenant: settings.LIMIT_RULES_PER_TENANT,
});

const healthOf = (parts: Parts, database: Database, temporal: Temporal) =>
  createServiceHealth(parts, {
    database: () => ping(database, 'campaign'),
    temporal: temporal.ping,
    pollers: () => isPolling(temporal, taskQueues.outreach),
    adoption: () => refuseElsewhere(database),
  });

const addressesOf = (settings: OwnSettings, registry: Registry) => ({
  host: settings.HOST,
  port: settings.BACKEND_PORT,
  metrics: { registry, host: settings.METRICS_HOST, port: settings.METRICS_PORT_BACKEND },
});

/** What is read from the order service: what orders from campaigns brought in, and refunds that need staff. */
function openOrderService(settings: OwnSettings, deps: Omit<RevenueReaderDeps, 'feed'>) {
  const service = {
    baseUrl: settings.ORDERS_URL,
    secret: settings.INTERNAL_API_SECRET[0],
    authorities: internalAuthorities(settings),
  };
  const feed = createAttributionClient(service);
  const refunds = createWaitingRefundClient(service);
  return {
    polling: createRevenueReader({ ...deps, feed }),
    readWaitingRefunds: refunds.read,
    close: () => Promise.all([feed.destroy(), refunds.destroy()]),
  };
}

/** Sends events of campaigns to the tenants' webhooks. */
function openRelay(
  database: Database,
  { encryption, targets, metrics }: { encryption: Encryption; targets: OutsideAddresses; metrics: BackendMetrics },
) {
  const exchange = createWebhookExchange(targets);
  const client = createWebhookClient({ exchange, targets });
  const deliveries = { claim: claimDeliveries, end: settleDelivery, note: noteAttempt };
  const polling = createRelay({ database, deliveries, encryption, client, logger, onAttempt: metrics.countDelivery });
  return { polling, close: () => exchange.destroy() };
}

async function start(): Promise<Service> {
  const parts = parseParts(process.argv.slice(2));
  const settings = parseSettings(process.env, needed);
  const temporalSettings = parseTemporalSettings(process.env);
  logger.level = settings.LOG_LEVEL;
  const { api: database, intake, worker, relay: relayed, destroy } = openPools(settings.DATABASE_URL_BACKEND);
  const encryption = createEncryption(settings.ENCRYPTION_KEYS);
  const exchange = createHttpExchange({ timeoutMs: CALL_TIMEOUT_MS, connections: PLATFORM_CONNECTIONS });
  const temporal = openTemporal(temporalSettings);
  const health = healthOf(parts, database, temporal);
  const metrics = createBackendMetrics(health.registry, database);
  const gateway = metrics.timed(createPlatformGateway({ baseUrl: settings.PLATFORM_BASE_URL, exchange }));
  const { textModel, closeModel } = openTextModel(settings);
  const now = () => new Date();
  const launcher = createLauncher(temporal.client, naming(database, settings.PUBLIC_BFF_URL));
  const perSecond = settings.PLATFORM_CALLS_PER_SECOND;
  const clickTokens = createClickTokens(settings.CLICK_TOKEN_SECRET);
  const base = { now, drainMs, sleep: sleepFor, database: worker, encryption, log: logger, traces: tracing() };
  const own = { ...base, settings, textModel, clickTokens };
  const pacing = createPacing({ ...own, perSecond });
  const deps = { ...own, gateway, pacing, launcher };
  const orders = openOrderService(settings, { database: worker, encryption, now, log: logger });
  const targets = createOutsideAddresses({ production: settings.NODE_ENV === 'production' });
  const relay = openRelay(relayed, { encryption, targets, metrics });
  const polling = parts.worker
    ? together([createOutreachPolling(deps, temporalSettings, temporal, metrics), orders.polling, relay.polling])
    : null;

  const refusals = createRefusalTrail({ database, logger });
  const backend = parts.api
    ? createBackendApp({
        ...apiSettings(settings),
        database,
        encryption,
        targets,
        logger,
        refusals,
        now,
        launcher,
        platform: createPlatformTasks(deps),
        aiConfigured: textModel !== null,
        readWaitingRefunds: orders.readWaitingRefunds,
        uploads: createUploads(uploadLimits(settings)),
        registry: health.registry,
      })
    : null;
  backend?.mount(intakeRouter(settings, { database: intake, launcher, logger, metrics }));
  backend?.app.use(healthRoutes(health).routes());
  return {
    listener: (backend?.app ?? createWorkerApp(logger, health)).callback(),
    ...addressesOf(settings, health.registry),
    polling,
    ...(backend ? { endStreams: backend.endStreams } : {}),
    close: async () => {
      await refusals.close();
      await destroy();
      await Promise.all([exchange.destroy(), orders.close(), relay.close(), closeModel()]);
      await temporal.connection.close();
    },
  };
}

await runService('backend', logger, start);
