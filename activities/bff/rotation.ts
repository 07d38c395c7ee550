import type { BffDatabase } from '#db/bff/database.ts';
import { beginTakeBack } from '#commands/bff/begin-take-back.ts';
import { claimRotation } from '#commands/bff/claim-rotation.ts';
import { commitRotation } from '#commands/bff/commit-rotation.ts';
import { forgetRotation, rotationCommittedAt, unclaimRotation } from '#db/bff/rotations.ts';
import { internalOperations } from '#domain/api/internal.ts';
import { BackendError, isBackendError, type BackendClient } from '#clients/backend/client.ts';
import { activityRequestId, type OfIntegration } from './installation.ts';

export interface OfRotation extends OfIntegration {
  /** The n of `lifecycle:<id>:<n>`. */
  number: number;
}

export type RotationOutcome = { kind: 'committed'; rotatedAt: string } | { kind: 'not_rotated' };

const committed = (rotatedAt: Date): RotationOutcome => ({ kind: 'committed', rotatedAt: rotatedAt.toISOString() });

/** The two steps of a rotation: both services have the new secret, or neither does. */
export function createRotationActivities(deps: { database: BffDatabase; backend: BackendClient }) {
  const { database } = deps;

  async function rotateBackend(id: string, newSecret: string, rotatedAt: Date | null): Promise<void> {
    await deps.backend.call(internalOperations.rotateTenantIntegration, {
      params: { tenantIntegrationId: id },
      body: { newSecret, rotatedAt: rotatedAt?.toISOString() ?? null },
      requestId: activityRequestId(),
      timeoutMs: 3000,
    });
  }

  return {
    /** Sends the secret to the backend, then commits here, both before the rotation's deadline. Safe to repeat. */
    async applyRotation({ tenantIntegrationId: id, number }: OfRotation): Promise<RotationOutcome> {
      const already = await rotationCommittedAt(database, id, number);
      if (already) return committed(already);
      const claim = await claimRotation(database, id, number);
      if (!claim) return { kind: 'not_rotated' };
      try {
        await rotateBackend(id, claim.newSecret, claim.rotatedAt);
      } catch (error) {
        const withoutEffect = error instanceof BackendError && error.kind !== 'unclear';
        if (withoutEffect && claim.first) await unclaimRotation(database, id, number);
        if (isBackendError(error)) return { kind: 'not_rotated' };
        throw error;
      }
      const rotatedAt = await commitRotation(database, id, number);
      return rotatedAt ? committed(rotatedAt) : { kind: 'not_rotated' };
    },

    /** Restores the backend's previous secret if it may have the new one. Safe to repeat. */
    async takeBackRotation({ tenantIntegrationId: id, number }: OfRotation): Promise<RotationOutcome> {
      const found = await beginTakeBack(database, id, number);
      if (found.kind === 'committed') return committed(found.rotatedAt);
      if (found.kind === 'restore') {
        try {
          await rotateBackend(id, found.formerSecret, found.formerRotatedAt);
        } catch (error) {
          // Uninstalled in the meantime: that secret no longer signs anything.
          if (!isBackendError(error, 'gone', 'not_found')) throw error;
        }
        await forgetRotation(database, id, number);
      }
      return { kind: 'not_rotated' };
    },
  };
}
