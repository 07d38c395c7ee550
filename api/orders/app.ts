import type Koa from 'koa';
import type { OutsideAddresses } from '#clients/addresses/outside-addresses.ts';
import type { SandboxToken } from '#clients/sandbox/tokens.ts';
import type { Database } from '#db/database.ts';
import type { Encryption } from '#db/encryption.ts';
import type { ClickTokens } from '#domain/campaigns/revenue/click-token.ts';
import type { Secrets } from '#domain/keys/secrets.ts';
import { ORDERS_PREFIX } from '#domain/orders/operations/describe.ts';
import { createApp } from '../http/app.ts';
import { securityHeaders } from '../http/security/headers.ts';
import { documentRoutes } from '../http/docs.ts';
import { type Health, healthRoutes } from '../http/health.ts';
import type { VerifyPlatformToken } from '../http/platform-token.ts';
import type { Logger } from '../runtime/logger.ts';
import { readingClicks } from './attribution/click-tokens.ts';
import { attributionRouter } from './attribution/routes.ts';
import { orderResponses } from './responses.ts';
import type { FindKeyCaller } from './keys.ts';
import type { Launcher } from './launch.ts';
import type { OrdersMetrics } from './metrics.ts';
import { ordersOpenApi } from './openapi.ts';
import { createServe } from './order-api.ts';
import { createPayments } from './payments/pay.ts';
import { administrationRoutes } from './routes/administration.ts';
import { callbackRoutes } from './routes/callback.ts';
import { orderRoutes } from './routes/orders.ts';
import { ownRoutes } from './routes/own.ts';
import type { RefusalTrail } from './refusals.ts';
import { refundStarter } from './start-refund.ts';
import { authenticateBy } from './session.ts';
import { waitingRefundRouter } from './waiting-refunds.ts';
import { createRouter } from '../http/router.ts';

export interface OrdersAppDeps {
  logger: Logger;
  health: Health;
  /** Where callers reach the service. */
  publicUrl: string;
  metrics: Pick<OrdersMetrics, 'counted' | 'countClickToken'>;
  database: Database;
  launcher: Launcher;
  verifyToken: VerifyPlatformToken;
  findKeyCaller: FindKeyCaller;
  refusals: Pick<RefusalTrail, 'note'>;
  /** For the secrets of merchants' webhooks. */
  encryption: Encryption;
  /** Where merchants' webhooks may be. */
  targets: OutsideAddresses;
  /** Any of them may have signed a callback. */
  webhookSecrets: readonly string[];
  /** Files with orders that a person may ask for. */
  exportsPerMinute: number;
  /** Of the links of campaigns. */
  clickTokens: Pick<ClickTokens, 'verify'>;
  /** Shared with the backend, which reads what orders from campaigns brought in. */
  internalSecrets: Secrets;
  /** Checks each response against its schema; off in production. */
  checkResponses: boolean;
  /** For the examples of the API description; null without the sandbox. */
  sandboxToken: SandboxToken | null;
  /** How long a pay waits for an outcome; 10 s if absent. */
  payDeadlineMs?: number;
}

/** Routes of the order service, in order. */
export function createOrdersApp(deps: OrdersAppDeps): Koa {
  const app = createApp(deps.logger, deps.health.registry);
  app.use(securityHeaders(deps.publicUrl));
  app.use(healthRoutes(deps.health).routes());
  app.use(documentRoutes(ordersOpenApi, deps.sandboxToken).routes());

  const router = createRouter(ORDERS_PREFIX);
  const { checkResponses } = deps;
  const serve = createServe({
    router,
    authenticate: authenticateBy({ verify: deps.verifyToken, findKeyCaller: deps.findKeyCaller }, deps.refusals),
    failed: ({ actor, operation, error }) => deps.refusals.note(actor, operation, error),
    checkResponses,
  });
  const created = createPayments({
    database: deps.database,
    launcher: deps.launcher,
    logger: deps.logger,
    ...(deps.payDeadlineMs === undefined ? {} : { deadlineMs: deps.payDeadlineMs }),
  });
  const payments = deps.metrics.counted(created);
  const { database, metrics, clickTokens } = deps;
  orderRoutes(serve, { database, payments, readClick: readingClicks(clickTokens, metrics.countClickToken) });
  ownRoutes(serve, { database: deps.database });
  administrationRoutes(serve, {
    ...deps,
    payments,
    startRefund: refundStarter(deps.launcher.startRefund, deps.logger),
    restartRefund: refundStarter(deps.launcher.restartRefund, deps.logger),
  });
  callbackRoutes(router, deps);

  app.use(attributionRouter(deps).routes());
  app.use(waitingRefundRouter(deps).routes());
  app.use(orderResponses(deps.logger));
  app.use(router.routes());
  return app;
}
