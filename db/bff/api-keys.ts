import { raw } from 'objection';
import { z } from 'zod';
import type { Page } from '#domain/api/primitives.ts';
import { decodeCursor, pageOf } from '#domain/cursor.ts';
import { rows } from '../database.ts';
import type { BffDatabase } from './database.ts';
import { ApiKeyRow, type IntegrationStatus } from './models.ts';
import { mappedTenantOf } from './tenant-mapping.ts';

export const LIVE = `revoked_at is null and (expires_at is null or expires_at > now())`;

/** A key that can be used, with our view of its tenant. */
export type FoundKey = ApiKeyRow & {
  /** State of the integration that it was made for. */
  integrationStatus: IntegrationStatus;
  externalTenantId: string | null;
};

/** A key that is neither revoked nor expired, by its id or by the hash of its secret. */
export async function findLiveKey(
  { connection }: BffDatabase,
  by: { keyId: string } | { secretHash: Buffer },
): Promise<FoundKey | null> {
  const row = await ApiKeyRow.query(connection)
    .findOne(by)
    .whereRaw(LIVE)
    .select(
      'api_key.*',
      raw(`(select case when i.uninstall_number is null then i.status else 'UNINSTALLED' end from tenant_integration i
             where i.tenant_integration_id = api_key.tenant_integration_id)`).as('integration_status'),
      raw(mappedTenantOf('api_key.platform_tenant_id')).as('external_tenant_id'),
    );
  return (row as FoundKey | undefined) ?? null;
}

/** Records the use, at most once a minute. */
export async function touchKey({ connection }: BffDatabase, { keyId, lastUsedAt }: ApiKeyRow): Promise<void> {
  if (lastUsedAt && Date.now() - lastUsedAt.getTime() < 60_000) return;
  await ApiKeyRow.query(connection).findById(keyId).patch({ lastUsedAt: new Date() });
}

/** The tenant's keys, including ended ones, newest first. */
export async function listKeys(
  { connection }: BffDatabase,
  platformTenantId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<ApiKeyRow>> {
  const after = decodeCursor(z.tuple([z.uuid()]), cursor);
  const found = await ApiKeyRow.query(connection)
    .where({ platformTenantId })
    .where((query) => void (after && query.where('keyId', '<', after[0])))
    .orderBy('keyId', 'desc')
    .limit(limit + 1);
  return pageOf(found, limit, ({ keyId }) => [keyId]);
}

/** @returns the key, revoked now or before; null if the tenant has none with this id. */
export async function revokeKey(
  { connection }: BffDatabase,
  { keyId, platformTenantId, by }: { keyId: string; platformTenantId: string; by: string },
): Promise<{ isNew: boolean } | null> {
  const revoked = await ApiKeyRow.query(connection)
    .where({ keyId, platformTenantId })
    .whereNull('revokedAt')
    .patch({ revokedAt: new Date(), revokedBy: by });
  if (revoked > 0) return { isNew: true };
  const known = await ApiKeyRow.query(connection).findOne({ keyId, platformTenantId });
  return known ? { isNew: false } : null;
}

/** How long one that has ended stays in the list. */
const KEPT = `interval '90 days'`;

/** Deletes keys that ended long ago, by themselves or with their integration. @returns how many. */
export async function sweepKeys({ connection }: BffDatabase): Promise<number> {
  const deleted = await rows(
    connection,
    `delete from api_key k using tenant_integration i
     where i.tenant_integration_id = k.tenant_integration_id
       and least(k.revoked_at, k.expires_at, i.uninstalled_at) < now() - ${KEPT} returning 1`,
    {},
  );
  return deleted.length;
}
