import type { Router } from '@koa/router';
import { touchKey } from '#db/bff/api-keys.ts';
import type { BffDatabase } from '#db/bff/database.ts';
import { keyCheckOperations } from '#domain/api/key-check.ts';
import type { Secrets } from '#domain/keys/secrets.ts';
import { createServe } from '#api/http/problem-api.ts';
import { createRouter } from '#api/http/router.ts';
import { authenticateService } from '#api/http/service-auth.ts';
import { findWorkingKey } from './key-caller.ts';

interface KeyCheckDeps {
  database: BffDatabase;
  internalSecrets: Secrets;
  checkResponses: boolean;
}

/** What the order service asks about the keys that it is called with. */
export function keyCheckRoutes({ database, internalSecrets, checkResponses }: KeyCheckDeps): Router {
  const router = createRouter('/internal/v1');
  const serve = createServe({ router, authenticate: authenticateService(internalSecrets), checkResponses });
  serve(keyCheckOperations.checkApiKey, {
    handle: async ({ body: { keyId, secretHash } }) => {
      const key = await findWorkingKey(database, { keyId, secretHash: Buffer.from(secretHash, 'hex') });
      if (key) await touchKey(database, key);
      return { key: key && { name: key.name, platformTenantId: key.platformTenantId, scopes: key.scopes } };
    },
  });
  return router;
}
