import { createServer, type Server } from 'node:http';
import { Worker } from '@temporalio/worker';
import { Registry } from 'prom-client';
import { createOrdersActivities } from '#activities/orders/index.ts';
import type { CheckedKey, KeyChecks } from '#clients/bff/key-checks.ts';
import { createGatewayExchange, createPaymentGateway } from '#clients/payment-gateway/client.ts';
import { InvalidToken, type PlatformIdentity } from '#api/http/platform-token.ts';
import { createOrdersApp } from '#api/orders/app.ts';
import { createKeyCallers } from '#api/orders/keys.ts';
import { createLauncher } from '#api/orders/launch.ts';
import { createRelay, type Relay, type RelayLimits } from '#api/runtime/webhooks/relay.ts';
import { createOrdersMetrics } from '#api/orders/metrics.ts';
import { createRefusalTrail } from '#api/orders/refusals.ts';
import { createOutsideAddresses, type OutsideAddresses } from '#clients/addresses/outside-addresses.ts';
import { createWebhookClient, createWebhookExchange } from '#clients/webhooks/webhook-client.ts';
import { createLogger } from '#api/runtime/logger.ts';
import { createMetricsServer } from '#api/runtime/metrics-server.ts';
import { connect, type TimeLimits } from '#db/connection.ts';
import { claimDeliveries, endDelivery } from '#db/orders/merchant-events/relay.ts';
import { createEncryption } from '#db/encryption.ts';
import { createClickTokens } from '#domain/campaigns/revenue/click-token.ts';
import { type GivenKey, newKey } from '#domain/keys/key-text.ts';
import type { OrderScope } from '#domain/keys/scopes.ts';
import { taskQueues, workerOptions } from '#temporal.config.ts';
import { createDatabase } from '#test/support/servers/database.ts';
import { listen } from '#test/support/http/listen.ts';
import { productionBundle } from '#test/support/services/outreach-worker.ts';
import { createNamespace } from '#test/support/servers/temporal.ts';
import { startFakeGateway } from './fake-gateway.ts';

/** A token that the tests' verifier reads back; the real verifier has its own test. */
export function tokenFor(identity: Partial<PlatformIdentity>): string {
  return Buffer.from(JSON.stringify(identity)).toString('base64url');
}

function verifyTestToken(token: string): Promise<PlatformIdentity> {
  try {
    const identity = JSON.parse(Buffer.from(token, 'base64url').toString('utf8')) as Partial<PlatformIdentity>;
    return Promise.resolve({
      userId: 'u-1',
      name: 'A payer',
      tenantId: 'shop',
      roles: [],
      sid: null,
      expiresAt: new Date(Date.now() + 60_000),
      ...identity,
    });
  } catch (error) {
    return Promise.reject(new InvalidToken('no token of the tests', { cause: error }));
  }
}

/** Who calls: a person, or the program that has the key. */
export type As = Partial<PlatformIdentity> & { key?: string };

export interface PayReply {
  status: number;
  etag?: string;
  code: number;
  data: Record<string, unknown> & {
    orderId: string;
    orderNo: string;
    orderStatus: number;
    pointsStatus: number;
    paymentStatus: number;
    paymentUrl: string | null;
  };
  errors?: { path: string; message: string }[];
  requestId: string;
}

export interface OrdersServiceOptions {
  worker?: boolean;
  payDeadlineMs?: number;
  /** 20 if absent, like the setting's default. */
  maxOpenHolds?: number;
  /** 300 if absent, like the setting's default. */
  exportsPerMinute?: number;
  /** Far more than a test makes if absent. */
  keyCallsPerMinute?: number;
  /** Those of the tests if absent, as `makeKey` makes them. */
  keyChecks?: Pick<KeyChecks, 'check'>;
  /** The database as the service reaches it, for example through a proxy. */
  databaseUrl?: (url: string) => string | Promise<string>;
  /** When the database gives up; never if absent. */
  limits?: TimeLimits;
  /** Address of the gateway; the fake one by default. */
  gatewayUrl?: string;
  /** How many APIs there are, each with its own connections; calls go to one after the other. One if absent. */
  apis?: number;
  /** Sends merchants' events; off by default. */
  relay?: boolean;
  /** Where merchants' webhooks may be; those of development by default. */
  targets?: OutsideAddresses;
}

/** Of the links of campaigns, and of the backend's calls. */
export const clickTokens = createClickTokens(['the-tests-secret-of-click-tokens']);
export const internalSecret = 'the-tests-secret-between-services';

const encryption = createEncryption([{ id: null, key: Buffer.alloc(32, 7).toString('base64') }]);

/** API keys as the BFF would know them. */
function createTestKeys() {
  const known = new Map<string, CheckedKey>();
  const nameOf = ({ keyId, secretHash }: GivenKey) => `${keyId} ${secretHash.toString('hex')}`;
  return {
    check: (given: GivenKey) => Promise.resolve(known.get(nameOf(given)) ?? null),
    /** Makes a key. @returns its id and text */
    make(platformTenantId: string, scopes: readonly OrderScope[]): { keyId: string; text: string } {
      const { text, ...key } = newKey();
      known.set(nameOf(key), { name: 'A program', platformTenantId, scopes: [...scopes] });
      return { keyId: key.keyId, text };
    },
  };
}

/** The order service with its own database and namespace, and a gateway in memory. */
export async function startOrdersService(options: OrdersServiceOptions = {}) {
  const [database, namespace, gateway, workflowBundle] = await Promise.all([
    createDatabase(),
    createNamespace(),
    startFakeGateway(),
    productionBundle(),
  ]);
  const url = (await options.databaseUrl?.(database.DATABASE_URL_ORDERS)) ?? database.DATABASE_URL_ORDERS;
  const openPool = () =>
    connect({
      url,
      schema: 'orders',
      applicationName: 'test-orders',
      pool: { max: 10 },
      ...(options.limits && { limits: options.limits }),
    });
  const pool = openPool();
  const launcher = createLauncher(namespace.client);
  const server = createServer();
  const base = `${await listen(server)}/transaction/v1`;
  const health = { checks: {}, registry: new Registry() };
  const metrics = createOrdersMetrics(health.registry, pool);
  const targets = options.targets ?? createOutsideAddresses({ production: false });
  const logger = createLogger('orders', process.env['LOG_LEVEL'] ?? 'silent');
  const refusals = createRefusalTrail({ database: pool, logger });
  const keys = createTestKeys();
  const given = {
    logger,
    health,
    publicUrl: new URL(base).origin,
    metrics,
    launcher,
    verifyToken: verifyTestToken,
    findKeyCaller: createKeyCallers({
      checks: options.keyChecks ?? keys,
      callsPerMinute: options.keyCallsPerMinute ?? 10_000,
      logger,
    }),
    refusals,
    encryption,
    targets,
    webhookSecrets: [gateway.webhookSecret] as const,
    exportsPerMinute: options.exportsPerMinute ?? 300,
    clickTokens,
    internalSecrets: [internalSecret] as const,
    sandboxToken: null,
    checkResponses: true,
    ...(options.payDeadlineMs === undefined ? {} : { payDeadlineMs: options.payDeadlineMs }),
  };
  server.on('request', createOrdersApp({ ...given, database: pool }).callback());
  const others = await Promise.all(
    Array.from({ length: (options.apis ?? 1) - 1 }, async () => {
      const otherPool = openPool();
      const other = createServer(
        createOrdersApp({ ...given, database: otherPool, health: { checks: {}, registry: new Registry() } }).callback(),
      );
      return { pool: otherPool, server: other, base: `${await listen(other)}/transaction/v1` };
    }),
  );
  const bases = [base, ...others.map((other) => other.base)];
  let calls = 0;
  const metricsServer = createMetricsServer({ registry: health.registry });
  const metricsAddress = await listen(metricsServer);

  const exchange = createGatewayExchange();
  const paymentGateway = createPaymentGateway({ baseUrl: options.gatewayUrl ?? gateway.baseUrl, key: 'key', exchange });
  const activities = createOrdersActivities({
    database: pool,
    maxOpenHolds: options.maxOpenHolds ?? 20,
    traces: null,
    gateway: paymentGateway,
    callbackUrl: `${base}/payment-gateway/callback`,
    resumePayment: launcher.resumePayment,
    startRefund: launcher.startRefund,
    startReport: launcher.startReport,
  });
  const running: { worker: Worker; run: Promise<void> }[] = [];
  async function startWorker(): Promise<void> {
    const worker = await Worker.create({
      ...workerOptions,
      connection: namespace.nativeConnection,
      namespace: namespace.namespace,
      taskQueue: taskQueues.orders,
      workflowBundle,
      activities: metrics.countedActivities(activities),
      shutdownGraceTime: '1 second',
    });
    running.push({ worker, run: worker.run() });
  }
  async function stopWorkers(): Promise<void> {
    for (const { worker } of running) if (worker.getState() === 'RUNNING') worker.shutdown();
    await Promise.all(running.splice(0).map(({ run }) => run));
  }
  if (options.worker !== false) await startWorker();

  const webhooks = createWebhookExchange(targets);
  const relays: { relay: Relay; run: Promise<void> }[] = [];
  function startRelay(limits: Partial<RelayLimits> = {}): void {
    const relay = createRelay({
      database: pool,
      deliveries: { claim: claimDeliveries, end: endDelivery },
      encryption,
      client: createWebhookClient({ exchange: webhooks, targets }),
      logger,
      onAttempt: metrics.countDelivery,
      limits: { pollMs: 50, ...limits },
    });
    relays.push({ relay, run: relay.run() });
  }
  async function stopRelays(): Promise<void> {
    for (const { relay } of relays) relay.shutdown();
    await Promise.all(relays.splice(0).map(({ run }) => run));
  }
  if (options.relay) startRelay();

  async function request(
    method: string,
    path: string,
    body?: unknown,
    as: As | null = {},
    headers: Record<string, string> = {},
  ): Promise<PayReply> {
    const address = bases[(calls += 1) % bases.length] ?? base;
    const response = await fetch(`${address}${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        ...headers,
        ...(as === null ? {} : { authorization: `Bearer ${as.key ?? tokenFor(as)}` }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const etag = response.headers.get('etag');
    const reply = (await response.json()) as Omit<PayReply, 'status' | 'etag'>;
    return { status: response.status, ...(etag === null ? {} : { etag }), ...reply };
  }

  return {
    base,
    metricsAddress,
    database: pool,
    databaseUrl: url,
    ownerUrl: database.DATABASE_URL,
    gateway,
    paymentGateway,
    refusals,
    launcher,
    client: namespace.client,
    namespace: namespace.namespace,
    activities,
    startWorker,
    stopWorkers,
    startRelay,
    stopRelays,
    request,
    makeKey: keys.make,
    post: (path: string, body: unknown, as?: As | null) => request('POST', path, body, as),
    stop: async () => {
      await Promise.all([stopWorkers(), stopRelays()]);
      await Promise.all([server, metricsServer, ...others.map((other) => other.server)].map(closeServer));
      await Promise.all([exchange.destroy(), webhooks.destroy(), refusals.close()]);
      await Promise.all([pool, ...others.map((other) => other.pool)].map((one) => one.destroy()));
      await gateway.stop();
      await namespace.close();
      await database.drop();
    },
  };
}

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

export type OrdersService = Awaited<ReturnType<typeof startOrdersService>>;
