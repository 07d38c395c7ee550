import type { BffDatabase } from '#db/bff/database.ts';
import { SecretRotation } from '#db/bff/models.ts';

export interface RotationToSend {
  newSecret: string;
  rotatedAt: Date;
  /** No earlier attempt can have reached the backend. */
  first: boolean;
}

/** Records that the rotation is about to be sent to the backend; null if it is too late or already decided. */
export async function claimRotation(
  { connection, encryption }: BffDatabase,
  id: string,
  number: number,
): Promise<RotationToSend | null> {
  return connection.transaction(async (transaction) => {
    const row = await SecretRotation.query(transaction).findById(id).where({ number }).forUpdate();
    if (!row || row.expiresAt <= new Date()) return null;
    if (!row.sent) await SecretRotation.query(transaction).findById(id).patch({ sent: true });
    return {
      newSecret: encryption.decrypt(row.newSecretEncrypted, id),
      rotatedAt: row.rotatedAt,
      first: !row.sent,
    };
  });
}
