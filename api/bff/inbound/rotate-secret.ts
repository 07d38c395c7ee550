import { secretsOf } from '#db/bff/integrations.ts';
import type { TenantIntegration } from '#db/bff/models.ts';
import { beginRotation } from '#commands/bff/begin-rotation.ts';
import { beginTakeBack } from '#commands/bff/begin-take-back.ts';
import { rotationCommittedAt } from '#db/bff/rotations.ts';
import { rotateSecretBodySchema } from '#domain/api/inbound.ts';
import { Problem } from '#domain/api/problem.ts';
import type { LifecycleInput } from '#workflows/contracts/lifecycle.ts';
import type { Deadline } from '../deadline.ts';
import { gone, type LifecycleDeps, lifecycleRoute } from './lifecycle.ts';
import { notSigned, type SignedCall, signingSecret } from './signed-call.ts';
import { requireActive } from './update.ts';

/** The rotation must be decided this long before the caller stops waiting, so that a 503 means nothing changed. */
const MARGIN_MS = 2000;

const notRotated = () =>
  new Problem('unavailable', 'Nothing was changed: the secret could not be replaced everywhere; try again', {
    retryAfterSeconds: 2,
  });

/** A retry of the last rotation gets the same response. The secret set at installation was never rotated to. */
function rotatedBefore({ rotatedAt }: { rotatedAt: Date | null }): { rotatedAt: string } {
  if (rotatedAt) return { rotatedAt: rotatedAt.toISOString() };
  throw new Problem('invalid_content', 'newSecret is the current secret');
}

function newSecretOf(body: Buffer): unknown {
  try {
    return (JSON.parse(body.toString('utf8')) as { newSecret?: unknown } | null)?.newSecret;
  } catch {
    return undefined;
  }
}

export function rotateSecretRoute(deps: LifecycleDeps) {
  const { database } = deps;

  /**
   * The current secret signs. The replaced one is accepted for one thing only: retrying the rotation that replaced
   * it.
   */
  function prove(call: SignedCall, integration: TenantIntegration | null): void {
    if (!integration) throw notSigned();
    const secrets = secretsOf(database, integration);
    const by = signingSecret(call, secrets, new Date());
    const repeats = newSecretOf(call.body) === secrets.current;
    if (by !== 'current' && !(by !== undefined && repeats)) throw notSigned();
  }

  async function waitForRotation(input: LifecycleInput, deadline: Deadline): Promise<string> {
    const { tenantIntegrationId: id, number } = input;
    try {
      const result = await deps.launch.rotate(input, deadline);
      if (result.kind === 'committed') return result.rotatedAt;
    } catch (error) {
      // The rotation has expired by now: either it was committed, or this call prevents that.
      const ended = await beginTakeBack(database, id, number);
      if (ended.kind === 'committed') return ended.rotatedAt.toISOString();
      throw error;
    }
    throw notRotated();
  }

  return lifecycleRoute(deps, {
    body: rotateSecretBodySchema,
    prove,
    whenUninstalled: 'gone',
    async handle({ body: { tenantIntegrationId, newSecret, graceSeconds }, integration, deadline }) {
      const active = requireActive(integration);
      const begun = await beginRotation(database, {
        tenantIntegrationId,
        newSecret,
        graceSeconds,
        expiresInMs: Math.max(0, deadline.left() - MARGIN_MS),
      });
      if (begun.kind === 'not_active') throw gone();
      if (begun.kind === 'current') return rotatedBefore(begun);
      if (begun.kind === 'busy') throw notRotated();
      const input = { tenantIntegrationId, platformTenantId: active.platformTenantId, number: begun.number };
      const committed = await rotationCommittedAt(database, tenantIntegrationId, begun.number);
      return { rotatedAt: committed?.toISOString() ?? (await waitForRotation(input, deadline)) };
    },
  });
}
