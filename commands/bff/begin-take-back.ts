import type { BffDatabase } from '#db/bff/database.ts';
import { SecretRotation } from '#db/bff/models.ts';
import { findRotation, lockIntegration } from '#db/bff/rotations.ts';
import { sealedSecretOf } from '#db/sealed-secret.ts';

export type TakeBack =
  | { kind: 'committed'; rotatedAt: Date }
  /** It was never sent to the backend: nothing is left to do. */
  | { kind: 'done' }
  /** The backend may have the secret: restore these values there, then call `forgetRotation`. */
  | { kind: 'restore'; formerSecret: string; formerRotatedAt: Date | null };

/** Rules out a later commit, and returns what rolling the rotation back needs. */
export async function beginTakeBack(
  { connection, encryption }: BffDatabase,
  id: string,
  number: number,
): Promise<TakeBack> {
  return connection.transaction(async (transaction) => {
    const integration = await lockIntegration(transaction, id);
    const row = await findRotation(transaction, id, number);
    if (!row || !integration) {
      const committed = integration?.rotationNumber === number && integration.rotatedAt;
      return committed ? { kind: 'committed', rotatedAt: committed } : { kind: 'done' };
    }
    if (!row.sent) {
      await SecretRotation.query(transaction).deleteById(id);
      return { kind: 'done' };
    }
    await SecretRotation.query(transaction)
      .findById(id)
      .patch({ expiresAt: new Date(0) });
    return {
      kind: 'restore',
      formerSecret: encryption.decrypt(sealedSecretOf(integration), id),
      formerRotatedAt: integration.rotatedAt,
    };
  });
}
