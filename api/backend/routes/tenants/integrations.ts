import { setTimeout } from 'node:timers/promises';
import { SUBMISSION_STALE_MS } from '#activities/outreach/deps.ts';
import { internalOperations } from '#domain/api/internal.ts';
import { Problem } from '#domain/api/problem.ts';
import { patchIntegration } from '#commands/outreach/tenants/patch-integration.ts';
import { putIntegration } from '#commands/outreach/tenants/put-integration.ts';
import { rotateSecret } from '#commands/outreach/tenants/rotate-secret.ts';
import { countOutboundCalls } from '#db/outreach/tenants/outbound-calls.ts';
import { readPause, storePause } from '#db/outreach/tenants/pace.ts';
import { uninstallIntegration } from '#commands/outreach/tenants/uninstall-integration.ts';
import { auditedIds } from '#api/http/request-id.ts';
import type { BackendDeps, ServeService } from '#api/backend/deps.ts';

/** Calls in flight end by their own timeouts; the caller retries if they take longer than this. */
const OUTBOUND_WAIT_MS = 15_000;
const OUTBOUND_LOOK_MS = 50;

/** The platform's lifecycle calls, verified and passed on by the BFF. */
export function tenantIntegrationRoutes(serve: ServeService, deps: BackendDeps): void {
  const { database, encryption, now } = deps;

  serve(internalOperations.putTenantIntegration, {
    handle: async ({ params, body }) => {
      const stored = await putIntegration(database, encryption, params.tenantIntegrationId, body, auditedIds());
      return { externalTenantId: stored.externalTenantId, status: 'ACTIVE' as const };
    },
  });

  serve(internalOperations.patchTenantIntegration, {
    handle: ({ params, body }) => patchIntegration(database, params.tenantIntegrationId, body, auditedIds()),
  });

  serve(internalOperations.rotateTenantIntegration, {
    handle: async ({ params, body }) => {
      const given = { newSecret: body.newSecret, rotatedAt: body.rotatedAt === null ? null : new Date(body.rotatedAt) };
      const { rotatedAt } = await rotateSecret(database, encryption, params.tenantIntegrationId, given, auditedIds());
      return { rotatedAt: rotatedAt?.toISOString() ?? null };
    },
  });

  const pauseOf = async (tenantIntegrationId: string) => {
    const until = await readPause(database, { tenantIntegrationId });
    return { pausedMs: Math.max((until?.getTime() ?? 0) - now().getTime(), 0) };
  };
  serve(internalOperations.readPlatformPause, { handle: ({ params }) => pauseOf(params.tenantIntegrationId) });
  serve(internalOperations.storePlatformPause, {
    handle: async ({ params: { tenantIntegrationId }, body }) => {
      await storePause(database, { tenantIntegrationId, until: new Date(now().getTime() + body.pausedMs) });
      return await pauseOf(tenantIntegrationId);
    },
  });

  serve(internalOperations.uninstallTenantIntegration, {
    handle: async ({ params, body }) => {
      const { tenantIntegrationId } = params;
      const { reason } = body;
      await uninstallIntegration(database, tenantIntegrationId, { reason, now: now(), ...auditedIds() });
      await outboundStopped(deps, tenantIntegrationId);
      return { status: 'UNINSTALLED' as const };
    },
  });
}

/** No call can begin once the integration is UNINSTALLED, so this waits only for those under way. */
async function outboundStopped({ database }: BackendDeps, tenantIntegrationId: string): Promise<void> {
  const end = Date.now() + OUTBOUND_WAIT_MS;
  while ((await countOutboundCalls(database, tenantIntegrationId, SUBMISSION_STALE_MS)) > 0) {
    if (Date.now() > end)
      throw new Problem('unavailable', 'A call to the platform is still in flight', { retryAfterSeconds: 2 });
    await setTimeout(OUTBOUND_LOOK_MS);
  }
}
