import type { Knex } from 'knex';
import { raw } from 'objection';
import type { Encryption } from '../encryption.ts';
import { SecretRotation, TenantIntegration } from './models.ts';

export interface RotationRequest {
  tenantIntegrationId: string;
  newSecret: string;
  graceSeconds: number;
  /** When the caller stops waiting: later than this it must not take effect. */
  expiresInMs: number;
}

export type BegunRotation =
  | { kind: 'begun'; number: number }
  /** The same rotation is under way. */
  | { kind: 'joined'; number: number }
  /** Another one is, or is being taken back. */
  | { kind: 'busy' }
  | { kind: 'not_active' };

export interface RotationToSend {
  newSecret: string;
  rotatedAt: Date;
}

export type TakeBack =
  | { kind: 'committed'; rotatedAt: Date }
  /** The backend was never told: nothing is left to do. */
  | { kind: 'done' }
  /** The backend may have it: give it these back, then `forget`. */
  | { kind: 'restore'; formerSecret: string; formerRotatedAt: Date | null };

export type RotationRepository = ReturnType<typeof createRotations>;

/** Rotations under way: one at a time for an integration, each either committed or taken back. */
export function createRotations(knex: Knex, encryption: Encryption) {
  const lockIntegration = async (trx: Knex, id: string): Promise<TenantIntegration | undefined> =>
    TenantIntegration.query(trx).findById(id).forUpdate();

  async function begin(request: RotationRequest): Promise<BegunRotation> {
    const { tenantIntegrationId: id, newSecret, graceSeconds, expiresInMs } = request;
    return knex.transaction(async (trx) => {
      const integration = await lockIntegration(trx, id);
      if (integration?.status !== 'ACTIVE' || integration.uninstallNumber !== null) return { kind: 'not_active' };
      const running = await SecretRotation.query(trx).findById(id);
      if (running && !(running.expiresAt <= new Date() && !running.sent)) {
        const same = encryption.decrypt(running.newSecretEncrypted, id) === newSecret;
        return same && running.expiresAt > new Date() ? { kind: 'joined', number: running.number } : { kind: 'busy' };
      }
      const number = integration.lifecycleCount + 1;
      await TenantIntegration.query(trx).findById(id).patch({ lifecycleCount: number });
      const now = new Date();
      await SecretRotation.query(trx)
        .insert({
          tenantIntegrationId: id,
          number,
          newSecretEncrypted: encryption.encrypt(newSecret, id),
          rotatedAt: now,
          graceSeconds,
          expiresAt: new Date(now.getTime() + expiresInMs),
          sent: false,
        })
        .onConflict('tenant_integration_id')
        .merge();
      return { kind: 'begun', number };
    });
  }

  /** Notes that the backend is about to be told; undefined where it is too late, or decided already. */
  async function claimSend(id: string, number: number): Promise<RotationToSend | undefined> {
    const row = await SecretRotation.query(knex)
      .findById(id)
      .where({ number })
      .where('expires_at', '>', new Date())
      .patch({ sent: true })
      .returning('*')
      .first();
    return row && { newSecret: encryption.decrypt(row.newSecretEncrypted, id), rotatedAt: row.rotatedAt };
  }

  /** Notes that the last attempt surely did not reach the backend. */
  async function unclaimSend(id: string, number: number): Promise<void> {
    await SecretRotation.query(knex).findById(id).where({ number }).patch({ sent: false });
  }

  async function committedAt(id: string, number: number): Promise<Date | undefined> {
    const row = await TenantIntegration.query(knex).findById(id).where({ rotationNumber: number });
    return row?.rotatedAt ?? undefined;
  }

  /** The backend has the secret: makes it current here too, in time only. */
  async function commit(id: string, number: number): Promise<Date | undefined> {
    return knex.transaction(async (trx) => {
      const integration = await lockIntegration(trx, id);
      if (integration?.status !== 'ACTIVE') return undefined;
      const row = await SecretRotation.query(trx)
        .findById(id)
        .where({ number })
        .where('expires_at', '>', new Date())
        .delete()
        .returning('*')
        .first();
      if (!row) return undefined;
      await TenantIntegration.query(trx)
        .findById(id)
        .patch({
          replacedSecretEncrypted: raw('secret_encrypted'),
          secretEncrypted: row.newSecretEncrypted,
          replacedAcceptedUntil: new Date(row.rotatedAt.getTime() + row.graceSeconds * 1000),
          rotatedAt: row.rotatedAt,
          rotationNumber: number,
        });
      return row.rotatedAt;
    });
  }

  /** Ends the chance of a commit, and says what taking it back needs. */
  async function beginTakeBack(id: string, number: number): Promise<TakeBack> {
    return knex.transaction(async (trx) => {
      const integration = await lockIntegration(trx, id);
      const row = await SecretRotation.query(trx).findById(id).where({ number });
      if (!row) {
        const committed = integration?.rotationNumber === number && integration.rotatedAt;
        return committed ? { kind: 'committed', rotatedAt: committed } : { kind: 'done' };
      }
      if (!row.sent || !integration) {
        await SecretRotation.query(trx).findById(id).where({ number }).delete();
        return { kind: 'done' };
      }
      await SecretRotation.query(trx)
        .findById(id)
        .where({ number })
        .patch({ expiresAt: new Date(0) });
      return {
        kind: 'restore',
        formerSecret: encryption.decrypt(integration.secretEncrypted, id),
        formerRotatedAt: integration.rotatedAt,
      };
    });
  }

  /** The backend has the former secret again. */
  async function forget(id: string, number: number): Promise<void> {
    await SecretRotation.query(knex).findById(id).where({ number }).delete();
  }

  /** Rotations whose time passed and which were neither committed nor taken back. */
  const overdue = async (): Promise<SecretRotation[]> =>
    SecretRotation.query(knex).whereRaw(`rotated_at < now() - interval '1 minute'`).limit(100);

  return { begin, claimSend, unclaimSend, committedAt, commit, beginTakeBack, forget, overdue };
}
