import type { Database } from '#db/database.ts';
import type { Encryption } from '#db/encryption.ts';
import { recordAudit, type RequestIds } from '#db/outreach/audit/record.ts';
import { IntegrationRow } from '#db/outreach/models/tenants.ts';
import { sealedSecretOf } from '#db/sealed-secret.ts';
import { assertInstalled, lockIntegration, platformAuthor } from './integrations.ts';

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
