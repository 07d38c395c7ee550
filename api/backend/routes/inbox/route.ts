import { Router } from '@koa/router';
import type { IntakeResult } from '../../../../domain/api/internal.ts';
import { internalOperations } from '../../../../domain/api/internal.ts';
import type { Stored } from '../../../../db/outreach/inbox.ts';
import { createServe } from '../../../http/serve.ts';
import { authenticateService } from '../../auth.ts';
import { createIntake, type IntakeDeps } from './intake.ts';

function present(eventId: string, stored: Stored | undefined): IntakeResult {
  if (stored?.kind === 'stored') return { eventId, stored: true };
  return { eventId, stored: false, reason: stored?.kind ?? 'unknown_integration' };
}

export interface InboxRouterOptions extends IntakeDeps {
  /** The path before the operation's own. */
  prefix: string;
  internalSecret: string;
  checkAnswers: boolean;
}

/** The intake of verified events: answered once they are committed. */
export function inboxRouter({ prefix, internalSecret, checkAnswers, ...deps }: InboxRouterOptions): Router {
  const router = new Router({ prefix });
  const serve = createServe({ router, authenticate: authenticateService(internalSecret), checkAnswers });
  const store = createIntake(deps);
  serve(internalOperations.storeEvents, {
    handle: async ({ body }) => {
      const stored = await store(body.events);
      return { results: body.events.map(({ eventId }, index) => present(eventId, stored[index])) };
    },
  });
  return router;
}
