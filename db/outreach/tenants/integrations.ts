import { uuidv7 } from 'uuidv7';
import type { InstalledTenant } from '#domain/api/internal.ts';
import { type Database, rows } from '#db/database.ts';
import type { Encryption } from '#db/encryption.ts';
import { sealedSecretOf } from '#db/sealed-secret.ts';
import { IntegrationRow, TenantRow } from '../models/tenants.ts';

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

/** Its row is also the lock on which installations of one tenant wait for each other. */
export async function upsertTenant(
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

type StoredIntegration = Pick<
  IntegrationRow,
  'tenantIntegrationId' | 'tenantId' | 'webhookUrl' | 'secretEncrypted' | 'previousSecretEncrypted'
>;

/** Creates or replaces an ACTIVE integration, unless its id is another tenant's, however many write at once. @returns whether it did. */
export async function storeIntegration(transaction: Database, given: StoredIntegration): Promise<boolean> {
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
