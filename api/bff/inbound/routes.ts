import { Router } from '@koa/router';
import type { Logger } from '../../runtime/logger.ts';
import type { WebhookMetrics } from '../metrics.ts';
import { installRoute } from './install.ts';
import { createWebhookIntake } from './webhook-intake.ts';
import type { LifecycleDeps } from './lifecycle.ts';
import { createNonceHolds } from './nonce-holds.ts';
import { rotateSecretRoute } from './rotate-secret.ts';
import { readSignedCall } from './signed-call.ts';
import { uninstallRoute } from './uninstall.ts';
import { updateRoute } from './update.ts';

export type InboundDeps = Omit<LifecycleDeps, 'holds'> & { logger: Logger; webhooks: WebhookMetrics };

/** Routes that the platform calls: four lifecycle calls, and one webhook for all events. */
export function inboundRoutes(given: InboundDeps): Router {
  // All routes share one set of nonces.
  const deps = { ...given, holds: createNonceHolds() };
  const take = createWebhookIntake(deps);
  return new Router()
    .post('/install', installRoute(deps))
    .post('/update', updateRoute(deps))
    .post('/rotate-secret', rotateSecretRoute(deps))
    .post('/uninstall', uninstallRoute(deps))
    .post('/webhook', async (ctx) => {
      const taking = async () => take(await readSignedCall(ctx), String(ctx.state['requestId']));
      ctx.body = await given.webhooks.count(taking());
    });
}
