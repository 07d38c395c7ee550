import { Problem, type ProblemCode } from '#domain/api/problem.ts';
import type { RefusalReason } from '#domain/api/refusals.ts';
import { parseAuthorization } from '#domain/signature.ts';
import { BODY_LIMIT } from '#api/http/body.ts';
import type { BodyBudget } from '#api/http/incoming/budget.ts';
import { announcedLength, type Arriving, bodyTooLarge } from '#api/http/incoming/chunks.ts';
import type { WebhookMetrics } from '#api/bff/metrics.ts';
import type { RefusalLog } from '../refusals.ts';
import { type Claim, notSigned, readClaim } from '../signed-call.ts';
import { createKnownIntegrations } from '../unsigned/known-integrations.ts';
import { createWebhookIntake, type WebhookIntakeDeps, type WebhookResponse } from './intake.ts';

/** Why a call cannot be read, by error code. */
const unreadable: Partial<Record<ProblemCode, RefusalReason>> = {
  unauthorized: 'nonce',
  too_large: 'too_large',
  too_slow: 'incomplete',
  invalid_request: 'incomplete',
};

/** Notes a call that could not be read. */
function noteUnread({ req }: Arriving, refusals: RefusalLog, error: unknown): void {
  const claim = parseAuthorization(req.headers.authorization);
  const reason = error instanceof Problem ? unreadable[error.code] : undefined;
  if (!claim || !reason || !(error instanceof Problem)) return;
  const { tenantIntegrationId } = claim;
  refusals.noteClaimed({ tenantIntegrationId, reason, problem: error, bytes: announcedLength({ req }) ?? null });
}

/** @throws Problem `unauthorized` for missing or malformed headers, `too_large` for what they announce. */
function readHeaders(arriving: Arriving, refusals: RefusalLog): Claim {
  try {
    const claim = readClaim(arriving.req);
    if ((announcedLength(arriving) ?? 0) > BODY_LIMIT) throw bodyTooLarge(BODY_LIMIT);
    return claim;
  } catch (error) {
    noteUnread(arriving, refusals, error);
    throw error;
  }
}

export interface WebhookReceiverDeps extends WebhookIntakeDeps {
  refusals: RefusalLog;
  bodies: BodyBudget;
  webhooks: WebhookMetrics;
}

/** Receives a webhook, from its headers to what it is answered with. @throws Problem, or what failed. */
export type ReceiveWebhook = (arriving: Arriving, requestId: string) => Promise<WebhookResponse>;

export function createWebhookReceiver(deps: WebhookReceiverDeps): ReceiveWebhook {
  const { refusals, bodies, webhooks } = deps;
  const known = createKnownIntegrations(deps.database);
  const take = createWebhookIntake(deps);

  /** @throws Problem `unauthorized` before the body of an integration that nobody knows is read. */
  async function receive(arriving: Arriving, requestId: string): Promise<WebhookResponse> {
    const claim = readHeaders(arriving, refusals);
    if (!(await known.includes(claim.tenantIntegrationId))) throw notSigned();
    let isRead = false;
    try {
      return await bodies.receive(arriving, claim.tenantIntegrationId, (body) => {
        isRead = true;
        return take({ ...claim, body }, requestId);
      });
    } catch (error) {
      if (!isRead) noteUnread(arriving, refusals, error);
      throw error;
    }
  }
  return async (arriving, requestId) => webhooks.count(receive(arriving, requestId));
}
