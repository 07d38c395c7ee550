import { uuidv7 } from 'uuidv7';
import type { InstalledServiceNumbers, InstalledTenant, PutTenantIntegration } from '../../../domain/api/internal.ts';
import { Problem } from '../../../domain/api/problem.ts';
import { type Database, rows } from '../../database.ts';
import type { Encryption } from '../../encryption.ts';
import { type Author, recordAudit, type RequestIds } from '../audit/record.ts';
import { IntegrationRow, type IntegrationStatus, TenantRow } from '../models/tenants.ts';
import { replaceCatalogue } from './service-numbers.ts';
import { sealedSecretOf } from '../../sealed-secret.ts';

/** What signs the tenant's outbound calls. */
export interface SigningSecrets {
  tenantIntegrationId: string;
  tenantId: string;
  current: string;
  /** The secret that was replaced last; tried once if the platform rejects the current one. */
  previous: string | null;
}

/** The ACTIVE integration of a tenant; null if it has none. */
export async function findActiveIntegration(database: Database, tenantId: string): Promise<IntegrationRow | null> {
  return (await IntegrationRow.query(database).findOne({ tenantId, status: 'ACTIVE' })) ?? null;
}

/** Whether the tenant has an ACTIVE integration and the platform knows it by this externalTenantId. */
export async function isInstalledAs(database: Database, tenantId: string, externalTenantId: string): Promise<boolean> {
  const tenant = await TenantRow.query(database).findOne({ tenantId, externalTenantId });
  return tenant !== undefined && (await findActiveIntegration(database, tenantId)) !== null;
}

/** Decrypted secrets of the tenant's ACTIVE integration; null if it has none. */
export async function readSigningSecrets(
  database: Database,
  encryption: Encryption,
  tenantId: string,
): Promise<SigningSecrets | null> {
  const row = await findActiveIntegration(database, tenantId);
  return row && { tenantId, ...openSecrets(encryption, row) };
}

/** The decrypted secrets of an integration. @throws Error if they are deleted. */
export function openSecrets(
  encryption: Encryption,
  row: Pick<IntegrationRow, 'tenantIntegrationId' | 'secretEncrypted' | 'previousSecretEncrypted'>,
): Omit<SigningSecrets, 'tenantId'> {
  const open = (sealed: string) => encryption.decrypt(sealed, row.tenantIntegrationId);
  return {
    tenantIntegrationId: row.tenantIntegrationId,
    current: open(sealedSecretOf(row)),
    previous: row.previousSecretEncrypted === null ? null : open(row.previousSecretEncrypted),
  };
}

/** The platform, as the audit log names it. */
export const platformAuthor = (tenantId: string, ids: RequestIds): Author => ({ tenantId, userId: 'platform', ...ids });

/** The integration, locked until the transaction ends. @throws Problem `not_found`. */
export async function lockIntegration(transaction: Database, tenantIntegrationId: string): Promise<IntegrationRow> {
  const row = await IntegrationRow.query(transaction).findById(tenantIntegrationId).forUpdate();
  if (!row) throw new Problem('not_found', 'There is no integration with this id');
  return row;
}

function assertInstalled(row: IntegrationRow): void {
  if (row.status === 'UNINSTALLED') throw new Problem('gone', 'The integration is uninstalled');
}

/** Its row is also the lock on which installations of one tenant wait for each other. */
async function upsertTenant(
  transaction: Database,
  tenantId: string,
  { name, type }: InstalledTenant,
): Promise<TenantRow> {
  await TenantRow.query(transaction)
    .insert({ tenantId, externalTenantId: uuidv7(), name, type, status: 'active' })
    .onConflict('tenantId')
    .merge(['name', 'type', 'status']);
  return await TenantRow.query(transaction).findById(tenantId).throwIfNotFound();
}

/** Sealing is random, so equal secrets can only be recognised after decryption. */
function sealSecret(
  encryption: Encryption,
  existing: IntegrationRow | undefined,
  id: string,
  secret: string,
): { secretEncrypted: string; previousSecretEncrypted: string | null } {
  if (existing && encryption.decrypt(sealedSecretOf(existing), id) === secret) {
    const { previousSecretEncrypted } = existing;
    return { secretEncrypted: sealedSecretOf(existing), previousSecretEncrypted };
  }
  return { secretEncrypted: encryption.encrypt(secret, id), previousSecretEncrypted: null };
}

type StoredIntegration = Pick<
  IntegrationRow,
  'tenantIntegrationId' | 'tenantId' | 'webhookUrl' | 'secretEncrypted' | 'previousSecretEncrypted'
>;

/** Creates or replaces an ACTIVE integration, unless its id is another tenant's, however many write at once. @returns whether it did. */
async function storeIntegration(transaction: Database, given: StoredIntegration): Promise<boolean> {
  const stored = await rows(
    transaction,
    `insert into tenant_integration
       (tenant_integration_id, tenant_id, webhook_url, status, secret_encrypted, previous_secret_encrypted)
     values (:tenantIntegrationId, :tenantId, :webhookUrl, 'ACTIVE', :secretEncrypted, :previousSecretEncrypted)
     on conflict (tenant_integration_id) do update
       set webhook_url = excluded.webhook_url, status = excluded.status, secret_encrypted = excluded.secret_encrypted,
           previous_secret_encrypted = excluded.previous_secret_encrypted
     where tenant_integration.tenant_id = excluded.tenant_id
     returning 1`,
    { ...given },
  );
  return stored.length > 0;
}

/**
 * Stores an installed integration with its tenant and catalogue. A repeated call with the same data changes nothing.
 * @throws Problem `conflict` if another integration of the tenant is ACTIVE or the id belongs to another tenant,
 * `gone`.
 */
export function putIntegration(
  database: Database,
  encryption: Encryption,
  tenantIntegrationId: string,
  given: PutTenantIntegration,
  ids: RequestIds,
): Promise<{ externalTenantId: string }> {
  const tenantId = given.platformTenantId;
  return database.transaction(async (transaction) => {
    const tenant = await upsertTenant(transaction, tenantId, given.tenant);
    const existing = await IntegrationRow.query(transaction).findById(tenantIntegrationId).forUpdate();
    if (existing) assertInstalled(existing);
    const active = await findActiveIntegration(transaction, tenantId);
    const isOther = active !== null && active.tenantIntegrationId !== tenantIntegrationId;
    const secrets = sealSecret(encryption, existing, tenantIntegrationId, given.tenantIntegrationSecret);
    const own = { tenantIntegrationId, tenantId, webhookUrl: given.webhookUrl, ...secrets };
    if (isOther || !(await storeIntegration(transaction, own)))
      throw new Problem(
        'conflict',
        'The tenant has another active integration, or the integration belongs to another tenant',
      );
    await replaceCatalogue(transaction, tenantId, given.serviceNumbers);
    if (!existing) {
      await recordAudit(transaction, platformAuthor(tenantId, ids), {
        action: 'integration.install',
        objectType: 'integration',
        objectId: tenantIntegrationId,
        after: { tenant: given.tenant, serviceNumbers: given.serviceNumbers.length, webhookUrl: given.webhookUrl },
      });
    }
    return { externalTenantId: tenant.externalTenantId };
  });
}

export interface IntegrationPatch {
  tenant?: { name?: string | undefined; type?: string | undefined } | undefined;
  serviceNumbers?: InstalledServiceNumbers | undefined;
  webhookUrl?: string | undefined;
}

/** @throws Problem `not_found`, `gone`. */
export function patchIntegration(
  database: Database,
  tenantIntegrationId: string,
  { tenant, serviceNumbers, webhookUrl }: IntegrationPatch,
  ids: RequestIds,
): Promise<{ status: IntegrationStatus }> {
  return database.transaction(async (transaction) => {
    const row = await lockIntegration(transaction, tenantIntegrationId);
    assertInstalled(row);
    const named = Object.fromEntries(Object.entries(tenant ?? {}).filter(([, value]) => value !== undefined));
    if (Object.keys(named).length > 0) await TenantRow.query(transaction).findById(row.tenantId).patch(named);
    if (webhookUrl !== undefined)
      await IntegrationRow.query(transaction).findById(tenantIntegrationId).patch({ webhookUrl });
    if (serviceNumbers) await replaceCatalogue(transaction, row.tenantId, serviceNumbers);
    await recordAudit(transaction, platformAuthor(row.tenantId, ids), {
      action: 'integration.update',
      objectType: 'integration',
      objectId: tenantIntegrationId,
      after: { tenant, serviceNumbers: serviceNumbers?.length, webhookUrl },
    });
    return { status: row.status };
  });
}

/**
 * Makes `newSecret` the signing secret and keeps the replaced one as previous; given the current one, nothing
 * changes.
 * @throws Problem `not_found`, `gone`.
 */
export function rotateSecret(
  database: Database,
  encryption: Encryption,
  tenantIntegrationId: string,
  { newSecret, rotatedAt }: { newSecret: string; rotatedAt: Date | null },
  ids: RequestIds,
): Promise<{ rotatedAt: Date | null }> {
  return database.transaction(async (transaction) => {
    const row = await lockIntegration(transaction, tenantIntegrationId);
    assertInstalled(row);
    if (encryption.decrypt(sealedSecretOf(row), tenantIntegrationId) === newSecret) return { rotatedAt: row.rotatedAt };
    await IntegrationRow.query(transaction)
      .findById(tenantIntegrationId)
      .patch({
        secretEncrypted: encryption.encrypt(newSecret, tenantIntegrationId),
        previousSecretEncrypted: row.secretEncrypted,
        rotatedAt,
      });
    await recordAudit(transaction, platformAuthor(row.tenantId, ids), {
      action: 'integration.rotate',
      objectType: 'integration',
      objectId: tenantIntegrationId,
      before: { rotatedAt: row.rotatedAt },
      after: { rotatedAt },
    });
    return { rotatedAt };
  });
}
