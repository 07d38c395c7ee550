import { Router } from '@koa/router';
import type { Context } from 'koa';
import { Problem, type ProblemCode } from '../../../domain/api/problem.ts';
import type { RefusalReason } from '../../../domain/api/refusals.ts';
import { parseAuthorization } from '../../../domain/signature.ts';
import { BODY_LIMIT } from '../../http/body.ts';
import { type BodyBudget, createBodyBudget } from '../../http/incoming/budget.ts';
import { bodyTooLarge } from '../../http/incoming/chunks.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { WebhookMetrics } from '../metrics.ts';
import type { Limits } from '../limits/limits.ts';
import { installRoute } from './install.ts';
import { createKnownIntegrations, type KnownIntegrations } from './unsigned/known-integrations.ts';
import { createWebhookIntake } from './webhook-intake.ts';
import type { LifecycleDeps } from './lifecycle.ts';
import { createNonceHolds } from './nonce-holds.ts';
import { rotateSecretRoute } from './rotate-secret.ts';
import type { RefusalLog } from './refusals.ts';
import { type Claim, notSigned, readClaim, type SignedCall } from './signed-call.ts';
import { uninstallRoute } from './uninstall.ts';
import { updateRoute } from './update.ts';

export type InboundDeps = Omit<LifecycleDeps, 'holds' | 'bodies'> & {
  logger: Logger;
  webhooks: WebhookMetrics;
  refusals: RefusalLog;
  limits: Limits;
};

/** Why a call cannot be read, by the code that says so. */
const unreadable: Partial<Record<ProblemCode, RefusalReason>> = {
  unauthorized: 'nonce',
  too_large: 'too_large',
  too_slow: 'incomplete',
  invalid_request: 'incomplete',
};

/** Notes a call that could not be read. */
function noteUnread(ctx: Context, refusals: RefusalLog, error: unknown): void {
  const claim = parseAuthorization(ctx.get('Authorization'));
  const reason = error instanceof Problem ? unreadable[error.code] : undefined;
  if (!claim || !reason || !(error instanceof Problem)) return;
  const { tenantIntegrationId } = claim;
  refusals.noteClaimed({ tenantIntegrationId, reason, problem: error, bytes: ctx.request.length ?? null });
}

interface WebhookDeps {
  refusals: RefusalLog;
  bodies: BodyBudget;
  known: KnownIntegrations;
}

/** @throws Problem `unauthorized` for missing or malformed headers, `too_large` for what they announce. */
function readHeaders(ctx: Context, refusals: RefusalLog): Claim {
  try {
    const claim = readClaim(ctx);
    if ((ctx.request.length ?? 0) > BODY_LIMIT) throw bodyTooLarge(BODY_LIMIT);
    return claim;
  } catch (error) {
    noteUnread(ctx, refusals, error);
    throw error;
  }
}

/** @throws Problem as `readHeaders`, `unauthorized` before the body of an integration that nobody knows is read. */
async function receiveWebhook<T>(
  ctx: Context,
  { refusals, bodies, known }: WebhookDeps,
  take: (call: SignedCall) => Promise<T>,
): Promise<T> {
  const claim = readHeaders(ctx, refusals);
  if (!(await known.includes(claim.tenantIntegrationId))) throw notSigned();
  let isRead = false;
  try {
    return await bodies.receive(ctx, claim.tenantIntegrationId, (body) => {
      isRead = true;
      return take({ ...claim, body });
    });
  } catch (error) {
    if (!isRead) noteUnread(ctx, refusals, error);
    throw error;
  }
}

/** Routes that the platform calls: four lifecycle calls, and one webhook for all events. */
export function inboundRoutes(given: InboundDeps): Router {
  // All routes share one set of nonces, and the room for bodies.
  const deps = { ...given, holds: createNonceHolds(), bodies: createBodyBudget() };
  const take = createWebhookIntake(deps);
  const reading = { ...deps, known: createKnownIntegrations(given.database) };
  return new Router()
    .post('/install', installRoute(deps))
    .post('/update', updateRoute(deps))
    .post('/rotate-secret', rotateSecretRoute(deps))
    .post('/uninstall', uninstallRoute(deps))
    .post('/webhook', async (ctx) => {
      const requestId = String(ctx.state['requestId']);
      ctx.body = await given.webhooks.count(receiveWebhook(ctx, reading, (call) => take(call, requestId)));
    });
}
