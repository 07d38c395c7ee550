import { raw } from 'objection';
import { firstRow, type Transaction } from '../database.ts';
import { sealedSecretOf } from '../sealed-secret.ts';
import type { BffDatabase } from './database.ts';
import { type Handshake, TenantIntegration } from './models.ts';
import { mapTenant } from './tenant-mapping.ts';

export interface InstallRequest {
  tenantIntegrationId: string;
  platformTenantId: string;
  secret: string;
  webhookUrl: string;
  handshake: Handshake;
}

/** What an install call finds or leaves behind. */
export type BegunInstall =
  | { kind: 'pending'; revision: number }
  | { kind: 'active'; integration: TenantIntegration }
  | { kind: 'conflict' }
  | { kind: 'gone' };

export type Activation = 'active' | 'changed' | 'conflict' | 'gone';

/** The secrets that inbound signatures are checked against. */
export interface IntegrationSecrets {
  current: string;
  /** The secret replaced most recently; after `acceptedUntil` it only identifies a duplicate rotation. */
  replaced: { secret: string; acceptedUntil: Date } | null;
}

export async function findIntegration({ connection }: BffDatabase, id: string): Promise<TenantIntegration | null> {
  return (await TenantIntegration.query(connection).findById(id)) ?? null;
}

/** The ids among these that belong to an integration, in any state. */
export async function existingIntegrations({ connection }: BffDatabase, ids: readonly string[]): Promise<Set<string>> {
  const found = await TenantIntegration.query(connection)
    .select('tenantIntegrationId')
    .findByIds([...ids]);
  return new Set(found.map(({ tenantIntegrationId }) => tenantIntegrationId));
}

/** The tenant's effective integration: the ACTIVE one, otherwise the newest. */
export async function findIntegrationOfTenant(
  { connection }: BffDatabase,
  platformTenantId: string,
): Promise<TenantIntegration | null> {
  const counting = await TenantIntegration.query(connection)
    .where({ platformTenantId })
    .orderByRaw(`status = 'ACTIVE' desc, created_at desc`)
    .first();
  return counting ?? null;
}

/** Whether the integration still has its secrets: they are deleted some time after an uninstall. */
export const hasSecrets = ({ secretEncrypted }: TenantIntegration): boolean => secretEncrypted !== null;

/** @throws Error if they are deleted. */
export function secretsOf({ encryption }: BffDatabase, row: TenantIntegration): IntegrationSecrets {
  const open = (sealed: string) => encryption.decrypt(sealed, row.tenantIntegrationId);
  const { replacedSecretEncrypted: replaced, replacedAcceptedUntil: acceptedUntil } = row;
  return {
    current: open(sealedSecretOf(row)),
    replaced: replaced && acceptedUntil ? { secret: open(replaced), acceptedUntil } : null,
  };
}

function sameInstall(database: BffDatabase, row: TenantIntegration, request: InstallRequest): boolean {
  return (
    secretsOf(database, row).current === request.secret &&
    row.webhookUrl === request.webhookUrl &&
    JSON.stringify(row.handshake) === JSON.stringify(request.handshake)
  );
}

/**
 * Stores the data of an install call, unless it is already stored. The newest call wins until one has been answered
 * with 2xx, since the platform does not know whether an earlier one took effect.
 */
export async function beginInstall(database: BffDatabase, request: InstallRequest): Promise<BegunInstall> {
  const { tenantIntegrationId: id, platformTenantId, secret } = request;
  const row = await findIntegration(database, id);
  if (row && row.platformTenantId !== platformTenantId) return { kind: 'conflict' };
  if (row && (row.status === 'UNINSTALLED' || row.uninstallNumber !== null)) return { kind: 'gone' };
  if (row?.status === 'ACTIVE') {
    if (secretsOf(database, row).current === secret) return { kind: 'active', integration: row };
    if (row.acknowledgedAt) return { kind: 'conflict' };
  }
  const other = await findIntegrationOfTenant(database, platformTenantId);
  if (other?.status === 'ACTIVE' && other.tenantIntegrationId !== id) return { kind: 'conflict' };
  if (row && sameInstall(database, row, request)) return { kind: 'pending', revision: row.revision };
  const revision = await storePending(database, request);
  // Nothing was written because the row changed in between: decide again based on its new state.
  return revision === null ? beginInstall(database, request) : { kind: 'pending', revision };
}

async function storePending({ connection, encryption }: BffDatabase, request: InstallRequest): Promise<number | null> {
  const { tenantIntegrationId: id, platformTenantId, secret, webhookUrl, handshake } = request;
  const row = await firstRow<{ revision: number }>(
    connection,
    `insert into tenant_integration
       (tenant_integration_id, platform_tenant_id, status, secret_encrypted, webhook_url, handshake)
     values (:id, :platformTenantId, 'PENDING', :secret, :webhookUrl, :handshake)
     on conflict (tenant_integration_id) do update
       set status = 'PENDING', secret_encrypted = excluded.secret_encrypted, webhook_url = excluded.webhook_url,
           handshake = excluded.handshake, revision = tenant_integration.revision + 1
     where (tenant_integration.status = 'PENDING'
             or (tenant_integration.status = 'ACTIVE' and tenant_integration.acknowledged_at is null))
       and tenant_integration.uninstall_number is null
       and tenant_integration.platform_tenant_id = excluded.platform_tenant_id
     returning revision`,
    {
      id,
      platformTenantId,
      secret: encryption.encrypt(secret, id),
      webhookUrl,
      handshake: JSON.stringify(handshake),
    },
  );
  return row?.revision ?? null;
}

export async function activate(
  transaction: Transaction,
  { id, revision, externalTenantId }: { id: string; revision: number; externalTenantId: string },
): Promise<Activation> {
  const row = await TenantIntegration.query(transaction)
    .findById(id)
    .where({ status: 'PENDING', revision })
    .whereNull('uninstallNumber')
    .patch({ status: 'ACTIVE', externalTenantId, handshake: null, installedAt: new Date() })
    .returning('*')
    .first();
  if (!row) {
    const status = (await TenantIntegration.query(transaction).findById(id))?.status;
    return status === 'ACTIVE' ? 'active' : status === 'PENDING' ? 'changed' : 'gone';
  }
  const { platformTenantId } = row;
  await mapTenant(transaction, { platformTenantId, externalTenantId, tenantIntegrationId: id });
  return 'active';
}

/**
 * Call this right before an install call is answered with 2xx: its secret is then the integration's, until a
 * rotation.
 */
export async function acknowledgeInstall({ connection }: BffDatabase, id: string): Promise<void> {
  await TenantIntegration.query(connection)
    .findById(id)
    .whereNull('acknowledgedAt')
    .patch({ acknowledgedAt: new Date() });
}

/** Deletes a rejected install, unless another call has replaced it. */
export async function discardInstall({ connection }: BffDatabase, id: string, revision: number): Promise<void> {
  await TenantIntegration.query(connection).findById(id).where({ status: 'PENDING', revision }).delete();
}

/** Allocates the next n of `lifecycle:<id>:<n>`. */
export async function nextLifecycleNumber({ connection }: BffDatabase, id: string): Promise<number> {
  const row = await TenantIntegration.query(connection)
    .findById(id)
    .patch({ lifecycleCount: raw('lifecycle_count + 1') })
    .returning('*')
    .first()
    .throwIfNotFound();
  return row.lifecycleCount;
}

/** The number of this integration's only uninstall; repeated calls get the same number. */
export async function beginUninstall({ connection }: BffDatabase, id: string, reason: string | null): Promise<number> {
  const row = await firstRow<{ uninstallNumber: number }>(
    connection,
    `update tenant_integration
        set lifecycle_count = case when uninstall_number is null then lifecycle_count + 1 else lifecycle_count end,
            uninstall_number = coalesce(uninstall_number, lifecycle_count + 1),
            uninstall_reason = coalesce(uninstall_reason, :reason::text)
      where tenant_integration_id = :id
      returning uninstall_number`,
    { reason, id },
  );
  if (!row) throw new Error(`There is no integration ${id}`);
  return row.uninstallNumber;
}

/**
 * How long an uninstalled integration keeps its secrets, for calls of the platform that are still under way or repeated:
 * as long as webhook nonces, and longer than any replaced secret is accepted.
 */
const SECRETS_DAYS = 7;

/** Deletes the secrets of integrations that were uninstalled a while ago. @returns how many integrations. */
export async function deleteSecretsOfUninstalled({ connection }: BffDatabase): Promise<number> {
  return TenantIntegration.query(connection)
    .where({ status: 'UNINSTALLED' })
    .whereNotNull('secretEncrypted')
    .whereRaw(`uninstalled_at < now() - interval '${SECRETS_DAYS} days'`)
    .patch({ secretEncrypted: null, replacedSecretEncrypted: null, replacedAcceptedUntil: null });
}

/** ACTIVE integrations whose webhook address differs from `webhookUrl`. */
export async function integrationsWithOtherWebhook(
  { connection }: BffDatabase,
  webhookUrl: string,
): Promise<TenantIntegration[]> {
  return TenantIntegration.query(connection).where({ status: 'ACTIVE' }).whereNot({ webhookUrl }).limit(1000);
}

export async function setWebhook({ connection }: BffDatabase, id: string, webhookUrl: string): Promise<void> {
  await TenantIntegration.query(connection).findById(id).where({ status: 'ACTIVE' }).patch({ webhookUrl });
}

/** Installs and uninstalls that began `olderThanSeconds` ago and have not ended. */
export async function unfinishedIntegrations(
  { connection }: BffDatabase,
  olderThanSeconds: number,
): Promise<TenantIntegration[]> {
  return TenantIntegration.query(connection)
    .whereRaw(`(status = 'PENDING' or (status = 'ACTIVE' and uninstall_number is not null))`)
    .whereRaw('created_at < now() - make_interval(secs => ?)', [olderThanSeconds])
    .orderBy('createdAt', 'desc')
    .limit(100);
}
