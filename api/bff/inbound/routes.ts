import { Router } from '@koa/router';
import type { Context } from 'koa';
import { Problem, type ProblemCode } from '../../../domain/api/problem.ts';
import type { RefusalReason } from '../../../domain/api/refusals.ts';
import { parseAuthorization } from '../../../domain/signature.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { WebhookMetrics } from '../metrics.ts';
import { installRoute } from './install.ts';
import { createWebhookIntake } from './webhook-intake.ts';
import type { LifecycleDeps } from './lifecycle.ts';
import { createNonceHolds } from './nonce-holds.ts';
import { rotateSecretRoute } from './rotate-secret.ts';
import type { RefusalLog } from './refusals.ts';
import { readSignedCall, type SignedCall } from './signed-call.ts';
import { uninstallRoute } from './uninstall.ts';
import { updateRoute } from './update.ts';

export type InboundDeps = Omit<LifecycleDeps, 'holds'> & {
  logger: Logger;
  webhooks: WebhookMetrics;
  refusals: RefusalLog;
};

/** Why a call cannot be read, by the code that says so. */
const unreadable: Partial<Record<ProblemCode, RefusalReason>> = {
  unauthorized: 'nonce',
  too_large: 'too_large',
  too_slow: 'incomplete',
  invalid_request: 'incomplete',
};

async function readWebhook(ctx: Context, refusals: RefusalLog): Promise<SignedCall> {
  try {
    return await readSignedCall(ctx);
  } catch (error) {
    const claim = parseAuthorization(ctx.get('Authorization'));
    const reason = error instanceof Problem ? unreadable[error.code] : undefined;
    if (claim && reason && error instanceof Problem) {
      const { tenantIntegrationId } = claim;
      refusals.noteClaimed({ tenantIntegrationId, reason, problem: error, bytes: ctx.request.length ?? null });
    }
    throw error;
  }
}

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
      const taking = async () => take(await readWebhook(ctx, given.refusals), String(ctx.state['requestId']));
      ctx.body = await given.webhooks.count(taking());
    });
}
