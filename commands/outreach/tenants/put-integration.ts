import type { Database } from '#db/database.ts';
import type { Encryption } from '#db/encryption.ts';
import { recordAudit, type RequestIds } from '#db/outreach/audit/record.ts';
import { IntegrationRow } from '#db/outreach/models/tenants.ts';
import { findActiveIntegration, storeIntegration, upsertTenant } from '#db/outreach/tenants/integrations.ts';
import { replaceCatalogue } from '#db/outreach/tenants/service-numbers.ts';
import { sealedSecretOf } from '#db/sealed-secret.ts';
import type { PutTenantIntegration } from '#domain/api/internal.ts';
import { Problem } from '#domain/api/problem.ts';
import { assertInstalled, platformAuthor } from './integrations.ts';

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
