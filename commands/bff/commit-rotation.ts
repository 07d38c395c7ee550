import type { BffDatabase } from '#db/bff/database.ts';
import { SecretRotation, TenantIntegration } from '#db/bff/models.ts';
import { findRotation, lockIntegration } from '#db/bff/rotations.ts';

/** The backend has the secret: makes it current here, too, unless the rotation has expired. */
export async function commitRotation({ connection }: BffDatabase, id: string, number: number): Promise<Date | null> {
  return connection.transaction(async (transaction) => {
    const integration = await lockIntegration(transaction, id);
    const row = await findRotation(transaction, id, number);
    if (integration?.status !== 'ACTIVE' || !row || row.expiresAt <= new Date()) return null;
    await SecretRotation.query(transaction).deleteById(id);
    await TenantIntegration.query(transaction)
      .findById(id)
      .patch({
        replacedSecretEncrypted: integration.secretEncrypted,
        secretEncrypted: row.newSecretEncrypted,
        replacedAcceptedUntil: new Date(row.rotatedAt.getTime() + row.graceSeconds * 1000),
        rotatedAt: row.rotatedAt,
        rotationNumber: number,
      });
    return row.rotatedAt;
  });
}
