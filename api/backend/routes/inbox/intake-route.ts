import type { Router } from '@koa/router';
import type { IntakeResult } from '#domain/api/internal.ts';
import { internalOperations } from '#domain/api/internal.ts';
import type { Secrets } from '#domain/keys/secrets.ts';
import type { Stored } from '#db/outreach/inbox/intake.ts';
import { currentRequestId } from '#api/http/request-id.ts';
import { createServe } from '#api/http/problem-api.ts';
import type { Logger } from '#api/runtime/logger.ts';
import { authenticateService } from '#api/http/service-auth.ts';
import type { BackendMetrics } from '#api/backend/metrics.ts';
import { createIntake, type IntakeDeps } from './intake.ts';
import { createRouter } from '#api/http/router.ts';

function present(eventId: string, stored: Stored | undefined): IntakeResult {
  if (stored?.kind === 'stored') return { eventId, stored: true };
  return { eventId, stored: false, reason: stored?.kind ?? 'unknown_integration' };
}

export interface InboxRouterOptions extends IntakeDeps {
  /** The path before the operation's own path. */
  prefix: string;
  internalSecrets: Secrets;
  checkResponses: boolean;
  metrics: Pick<BackendMetrics, 'intake'>;
  logger: Pick<Logger, 'info' | 'warn'>;
}

/** The intake of verified events. It responds once they are committed. */
export function inboxRouter({ prefix, internalSecrets, checkResponses, metrics, ...deps }: InboxRouterOptions): Router {
  const router = createRouter(prefix);
  const serve = createServe({ router, authenticate: authenticateService(internalSecrets), checkResponses });
  const store = createIntake(deps);
  serve(internalOperations.storeEvents, {
    handle: async ({ body }) => {
      // One call may contain many webhooks; its log line lists the ids of their requests.
      const requestIds = body.events.flatMap(({ requestId }) => requestId ?? []);
      deps.logger.info({ requestId: currentRequestId(), requestIds }, 'events received');
      const stored = await store(body.events);
      metrics.intake(stored);
      return { results: body.events.map(({ eventId }, index) => present(eventId, stored[index])) };
    },
  });
  return router;
}
