import type { BackendClient } from '#clients/backend/client.ts';
import { insertKey } from '#commands/bff/insert-key.ts';
import { listKeys, revokeKey } from '#db/bff/api-keys.ts';
import type { BffDatabase } from '#db/bff/database.ts';
import type { ApiKeyRow } from '#db/bff/models.ts';
import { type ApiKey, apiKeyOperations, createApiKeySchema, maximumKeys } from '#domain/api/api-keys.ts';
import { invalidField, Problem } from '#domain/api/problem.ts';
import { internalOperations } from '#domain/api/internal.ts';
import { mapPage } from '#domain/cursor.ts';
import { currentRequestId } from '#api/http/request-id.ts';
import { backendProblem } from '#api/bff/backend-problem.ts';
import { newKey, prefixOf } from '#domain/keys/key-text.ts';
import { isOrderScope, type KeyScope } from '#domain/keys/scopes.ts';
import { readJson } from '#api/http/body.ts';
import type { AuditTrail } from '#api/bff/identity/audit-trail.ts';
import type { ConsoleUser } from '#api/bff/identity/signed-in.ts';
import type { ServeConsole } from '../serve-console.ts';

export interface ApiKeyDeps {
  database: BffDatabase;
  backend: BackendClient;
  trail: AuditTrail;
}

function statusOf({ revokedAt, expiresAt }: ApiKeyRow, now: Date): ApiKey['status'] {
  if (revokedAt) return 'revoked';
  return expiresAt && expiresAt <= now ? 'expired' : 'active';
}

const present = (row: ApiKeyRow): ApiKey => ({
  id: row.keyId,
  name: row.name,
  prefix: prefixOf(row.keyId),
  scopes: row.scopes,
  serviceNumberIds: row.serviceNumberIds,
  createdBy: row.createdBy,
  createdAt: row.createdAt.toISOString(),
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  expiresAt: row.expiresAt?.toISOString() ?? null,
  revokedAt: row.revokedAt?.toISOString() ?? null,
  status: statusOf(row, new Date()),
});

/**
 * A key of the order service gives money back: only who could do both, make keys and refund, makes one.
 * @throws Problem `forbidden`
 */
function requireRights(trail: AuditTrail, actor: ConsoleUser, scopes: readonly KeyScope[]): void {
  if (!scopes.some(isOrderScope) || actor.roles.includes('order_admin')) return;
  trail.refused(actor, 'POST /api/v1/api-keys');
  throw new Problem('forbidden', 'A key for the order service takes the role order_admin as well');
}

const tooMany = () =>
  new Problem('conflict', `A tenant has ${maximumKeys} keys at most: revoke one that is no longer used`);

/** @throws Problem `invalid_content` naming each that the tenant has never had, `unavailable` */
async function requireKnown(backend: BackendClient, platformTenantId: string, serviceNumberIds: string[]) {
  const call = { body: { platformTenantId, serviceNumberIds }, requestId: currentRequestId() ?? '' };
  const { unknown } = await backend.call(internalOperations.findUnknownServiceNumbers, call).catch((error: unknown) => {
    throw backendProblem(error);
  });
  const errors = serviceNumberIds.flatMap((id, index) =>
    unknown.includes(id) ? [invalidField(`/serviceNumberIds/${index}`, 'unknown_service_number')] : [],
  );
  if (errors.length > 0) throw new Problem('invalid_content', 'The tenant has no such service numbers', { errors });
}

export function apiKeyRoutes(serve: ServeConsole, { database, backend, trail }: ApiKeyDeps): void {
  serve(apiKeyOperations.listApiKeys, {
    handle: async ({ actor, query }) => mapPage(await listKeys(database, actor.tenantId, query), present),
  });

  serve(apiKeyOperations.createApiKey, {
    reach: async ({ ctx, actor }) => {
      const { data } = createApiKeySchema.safeParse(await readJson(ctx));
      if (data) requireRights(trail, actor, data.scopes);
    },
    handle: async ({ actor, body: { name, scopes, expiresAt = null, serviceNumberIds: given = null } }) => {
      requireRights(trail, actor, scopes);
      const { keyId, text, secretHash } = newKey();
      const { tenantId: platformTenantId, userId: createdBy } = actor;
      const ends = expiresAt === null ? null : new Date(expiresAt);
      if (ends && ends <= new Date())
        throw new Problem('invalid_content', 'The key would have ended already', {
          errors: [invalidField('/expiresAt', 'in_past')],
        });
      if (given) await requireKnown(backend, platformTenantId, given);
      const serviceNumberIds = given && [...new Set(given)].toSorted();
      const noted = { keyId, name, scopes, expiresAt: ends?.toISOString() ?? null, serviceNumberIds };
      const row = await insertKey(
        database,
        { keyId, platformTenantId, name, scopes, serviceNumberIds, secretHash, createdBy, expiresAt: ends },
        { maximum: maximumKeys, noted: () => trail.keyCreated(actor, noted) },
      );
      if (!row) throw tooMany();
      return { ...present(row), key: text };
    },
  });

  serve(apiKeyOperations.revokeApiKey, {
    handle: async ({ actor, params: { id: keyId } }) => {
      const { tenantId: platformTenantId, userId: by } = actor;
      const revoked = await revokeKey(database, { keyId, platformTenantId, by });
      if (!revoked) throw new Problem('not_found', 'There is no key with this id');
      if (revoked.isNew) trail.keyRevoked(actor, keyId);
      return undefined;
    },
  });
}
