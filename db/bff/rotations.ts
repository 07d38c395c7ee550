import type { Transaction } from '../database.ts';
import type { BffDatabase } from './database.ts';
import { SecretRotation, TenantIntegration } from './models.ts';

export async function lockIntegration(transaction: Transaction, id: string): Promise<TenantIntegration | null> {
  return (await TenantIntegration.query(transaction).findById(id).forUpdate()) ?? null;
}

export async function findRotation(
  transaction: Transaction,
  id: string,
  number: number,
): Promise<SecretRotation | null> {
  return (await SecretRotation.query(transaction).findById(id).where({ number })) ?? null;
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

/** The backend has the previous secret again. */
export async function forgetRotation({ connection }: BffDatabase, id: string, number: number): Promise<void> {
  await SecretRotation.query(connection).findById(id).where({ number }).delete();
}

/** Rotations whose deadline passed a while ago and that were neither committed nor rolled back. */
export async function overdueRotations({ connection }: BffDatabase): Promise<SecretRotation[]> {
  return SecretRotation.query(connection).whereRaw(`rotated_at < now() - interval '1 minute'`).limit(100);
}
