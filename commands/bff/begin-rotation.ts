import type { BffDatabase } from '#db/bff/database.ts';
import { SecretRotation, TenantIntegration } from '#db/bff/models.ts';
import { lockIntegration } from '#db/bff/rotations.ts';
import { sealedSecretOf } from '#db/sealed-secret.ts';

/** Rotations in progress: one at a time per integration, each either committed or rolled back. */
export interface RotationRequest {
  tenantIntegrationId: string;
  newSecret: string;
  graceSeconds: number;
  /** How long the caller waits; after that the rotation must not take effect. */
  expiresInMs: number;
}

export type BegunRotation =
  | { kind: 'begun'; number: number }
  /** The same rotation is in progress. */
  | { kind: 'joined'; number: number }
  /** The secret is the integration's already, since the last rotation or its installation. */
  | { kind: 'current'; rotatedAt: Date | null }
  /** Another rotation is in progress or being rolled back. */
  | { kind: 'busy' }
  | { kind: 'not_active' };

export async function beginRotation(database: BffDatabase, request: RotationRequest): Promise<BegunRotation> {
  const { tenantIntegrationId: id, newSecret } = request;
  return database.connection.transaction(async (transaction) => {
    const integration = await lockIntegration(transaction, id);
    if (integration?.status !== 'ACTIVE') return { kind: 'not_active' };
    // Checked under the lock: of several calls with the same secret, all but the first find it already current.
    if (database.encryption.decrypt(sealedSecretOf(integration), id) === newSecret)
      return { kind: 'current', rotatedAt: integration.rotatedAt };
    if (integration.uninstallNumber !== null) return { kind: 'not_active' };
    const now = new Date();
    const running = await SecretRotation.query(transaction).findById(id);
    const over = running && running.expiresAt <= now;
    if (running && !(over && !running.sent)) {
      const same = database.encryption.decrypt(running.newSecretEncrypted, id) === newSecret;
      return same && !over ? { kind: 'joined', number: running.number } : { kind: 'busy' };
    }
    const number = integration.lifecycleCount + 1;
    await TenantIntegration.query(transaction).findById(id).patch({ lifecycleCount: number });
    await SecretRotation.query(transaction)
      .insert({
        tenantIntegrationId: id,
        number,
        newSecretEncrypted: database.encryption.encrypt(newSecret, id),
        rotatedAt: now,
        graceSeconds: request.graceSeconds,
        expiresAt: new Date(now.getTime() + request.expiresInMs),
        sent: false,
      })
      .onConflict('tenantIntegrationId')
      .merge();
    return { kind: 'begun', number };
  });
}
