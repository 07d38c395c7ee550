import type { Router } from '@koa/router';
import { createBodyBudget } from '#api/http/incoming/budget.ts';
import type { Arriving } from '#api/http/incoming/chunks.ts';
import type { Durations } from '#api/http/metrics.ts';
import type { Logger } from '#api/runtime/logger.ts';
import type { WebhookMetrics } from '../metrics.ts';
import type { Limits } from '../limits/limits.ts';
import { installRoute } from './install.ts';
import type { LifecycleDeps } from './lifecycle.ts';
import { createNonceHolds } from './nonce-holds.ts';
import { rotateSecretRoute } from './rotate-secret.ts';
import type { RefusalLog } from './refusals.ts';
import { uninstallRoute } from './uninstall.ts';
import { updateRoute } from './update.ts';
import { WEBHOOK_PATH, webhookListener } from './webhook/listener.ts';
import { createWebhookReceiver } from './webhook/receive.ts';
import { createRouter } from '#api/http/router.ts';

export type InboundDeps = Omit<LifecycleDeps, 'holds' | 'bodies'> & {
  logger: Logger;
  webhooks: WebhookMetrics;
  durations: Durations;
  refusals: RefusalLog;
  limits: Limits;
};

export interface Inbound {
  router: Router;
  /** Serves the platform's usual requests; see `webhookListener`. */
  webhook: (arriving: Arriving) => boolean;
}

/** Routes that the platform calls: four lifecycle calls, and one webhook for all events. */
export function createInbound(given: InboundDeps): Inbound {
  // All routes share one set of nonces, and the room for bodies.
  const deps = { ...given, holds: createNonceHolds(), bodies: createBodyBudget() };
  const receive = createWebhookReceiver(deps);
  const router = createRouter()
    .post('/install', installRoute(deps))
    .post('/update', updateRoute(deps))
    .post('/rotate-secret', rotateSecretRoute(deps))
    .post('/uninstall', uninstallRoute(deps))
    // Those whose address has another form, such as one with a query.
    .post(WEBHOOK_PATH, async (ctx) => {
      ctx.body = await receive(ctx, String(ctx.state['requestId']));
    });
  return { router, webhook: webhookListener({ ...given, receive }) };
}
