import type { Router } from '@koa/router';
import type { Database } from '#db/database.ts';
import { readEntries, readTotals } from '#db/orders/attribution/feed.ts';
import { attributionOperations } from '#domain/api/attribution.ts';
import type { Secrets } from '#domain/keys/secrets.ts';
import { createServe } from '#api/http/problem-api.ts';
import { authenticateService } from '#api/http/service-auth.ts';
import { createRouter } from '#api/http/router.ts';

export interface AttributionRouteDeps {
  database: Database;
  internalSecrets: Secrets;
  checkResponses: boolean;
}

/** What the backend reads about orders from campaigns. */
export function attributionRouter({ database, internalSecrets, checkResponses }: AttributionRouteDeps): Router {
  const router = createRouter('/internal/v1');
  const serve = createServe({ router, authenticate: authenticateService(internalSecrets), checkResponses });
  serve(attributionOperations.listEntries, {
    handle: async ({ query: { after, through = null, limit } }) => ({
      entries: await readEntries(database, { after, through, limit }),
    }),
  });
  serve(attributionOperations.readTotals, {
    handle: ({ query: { since = null, through = null, afterTenantId, afterCampaignId, limit = null } }) => {
      const after =
        afterTenantId === undefined || afterCampaignId === undefined
          ? null
          : { platformTenantId: afterTenantId, campaignId: afterCampaignId };
      return readTotals(database, { since, through, after, limit });
    },
  });
  return router;
}
