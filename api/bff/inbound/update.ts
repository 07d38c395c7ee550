import { updateBodySchema } from '#domain/api/inbound.ts';
import { internalOperations } from '#domain/api/internal.ts';
import { Problem } from '#domain/api/problem.ts';
import type { TenantIntegration } from '#db/bff/models.ts';
import { secretsOf } from '#db/bff/integrations.ts';
import { backendProblem } from '../backend-problem.ts';
import { withoutRepeats } from './install.ts';
import { type LifecycleDeps, lifecycleRoute } from './lifecycle.ts';
import { notSigned, type SignedCall, signingSecret } from './signed-call.ts';

/** Accepts the current secret, or the replaced one during its grace period. */
export function proveByTenant(deps: LifecycleDeps) {
  return (call: SignedCall, integration: TenantIntegration | null): void => {
    const by = integration && signingSecret(call, secretsOf(deps.database, integration), new Date());
    if (by !== 'current' && by !== 'replaced') throw notSigned();
  };
}

export function requireActive(integration: TenantIntegration | null): TenantIntegration {
  if (integration?.status === 'ACTIVE') return integration;
  throw new Problem('invalid_state', 'The integration is not installed yet');
}

/**
 * Only the backend stores the tenant and its service numbers, so the call ends there: no state here could get out of
 * step.
 */
export function updateRoute(deps: LifecycleDeps) {
  return lifecycleRoute(deps, {
    body: updateBodySchema,
    prove: proveByTenant(deps),
    whenUninstalled: 'gone',
    async handle({ body: { tenantIntegrationId, tenant, serviceNumbers }, integration, deadline, requestId }) {
      requireActive(integration);
      try {
        await deps.backend.call(internalOperations.patchTenantIntegration, {
          params: { tenantIntegrationId },
          body: {
            ...(tenant ? { tenant } : {}),
            ...(serviceNumbers ? { serviceNumbers: withoutRepeats(serviceNumbers) } : {}),
          },
          requestId,
          timeoutMs: deadline.left(),
        });
      } catch (error) {
        throw backendProblem(error);
      }
      return { installStatus: 'ACTIVE' };
    },
  });
}
