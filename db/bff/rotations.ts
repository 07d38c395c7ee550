import type { Transaction } from '../database.ts';
import type { BffDatabase } from './database.ts';
import { sealedSecretOf } from '../sealed-secret.ts';
import { SecretRotation, TenantIntegration } from './models.ts';

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

export interface RotationToSend {
  newSecret: string;
  rotatedAt: Date;
  /** No earlier attempt can have reached the backend. */
  first: boolean;
}

export type TakeBack =
  | { kind: 'committed'; rotatedAt: Date }
  /** It was never sent to the backend: nothing is left to do. */
  | { kind: 'done' }
  /** The backend may have the secret: restore these values there, then call `forgetRotation`. */
  | { kind: 'restore'; formerSecret: string; formerRotatedAt: Date | null };

async function lockIntegration(transaction: Transaction, id: string): Promise<TenantIntegration | null> {
  return (await TenantIntegration.query(transaction).findById(id).forUpdate()) ?? null;
}

async function findRotation(transaction: Transaction, id: string, number: number): Promise<SecretRotation | null> {
  return (await SecretRotation.query(transaction).findById(id).where({ number })) ?? null;
}

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

/** Records that the rotation certainly did not reach the backend after all. */
export async function unclaimRotation({ connection }: BffDatabase, id: string, number: number): Promise<void> {
  await SecretRotation.query(connection).findById(id).where({ number }).patch({ sent: false });
}

/** When this rotation was committed, if it was the last one. */
export async function rotationCommittedAt(
  { connection }: BffDatabase,
  id: string,
  number: number,
): Promise<Date | null> {
  const row = await TenantIntegration.query(connection).findById(id).where({ rotationNumber: number });
  return row?.rotatedAt ?? null;
}

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

/** The backend has the previous secret again. */
export async function forgetRotation({ connection }: BffDatabase, id: string, number: number): Promise<void> {
  await SecretRotation.query(connection).findById(id).where({ number }).delete();
}

/** Rotations whose deadline passed a while ago and that were neither committed nor rolled back. */
export async function overdueRotations({ connection }: BffDatabase): Promise<SecretRotation[]> {
  return SecretRotation.query(connection).whereRaw(`rotated_at < now() - interval '1 minute'`).limit(100);
}
