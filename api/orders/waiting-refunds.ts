import type { Router } from '@koa/router';
import type { Database } from '#db/database.ts';
import { listWaitingRefunds } from '#db/orders/refunds/waiting.ts';
import { waitingRefundOperations } from '#domain/api/waiting-refunds.ts';
import type { Secrets } from '#domain/keys/secrets.ts';
import { createServe } from '../http/problem-api.ts';
import { createRouter } from '../http/router.ts';
import { authenticateService } from '../http/service-auth.ts';

export interface WaitingRefundRouteDeps {
  database: Database;
  internalSecrets: Secrets;
  checkResponses: boolean;
}

/** What the backend tells staff of as notices. */
export function waitingRefundRouter({ database, internalSecrets, checkResponses }: WaitingRefundRouteDeps): Router {
  const router = createRouter('/internal/v1');
  const serve = createServe({ router, authenticate: authenticateService(internalSecrets), checkResponses });
  serve(waitingRefundOperations.listWaitingRefunds, {
    handle: async ({ query: { platformTenantId: staffTenantId } }) => ({
      refunds: await listWaitingRefunds(database, { staffTenantId, withMembers: true }),
    }),
  });
  return router;
}
