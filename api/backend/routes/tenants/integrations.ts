import { setTimeout } from 'node:timers/promises';
import { dispatchNumbers } from '../../../../db/outreach/sends/ledger/sweep.ts';
import { internalOperations } from '../../../../domain/api/internal.ts';
import { Problem } from '../../../../domain/api/problem.ts';
import {
  countSubmitting,
  patchIntegration,
  putIntegration,
  rotateSecret,
  uninstallIntegration,
} from '../../../../db/outreach/tenants/integrations.ts';
import { currentRequestId } from '../../../http/request-id.ts';
import type { BackendDeps, ServeService } from '../../deps.ts';

/** Calls in flight end by their own timeouts; the caller retries if they take longer than this. */
const OUTBOUND_WAIT_MS = 15_000;
const OUTBOUND_LOOK_MS = 50;

const requestId = () => currentRequestId() ?? null;

/** The platform's lifecycle calls, verified and passed on by the BFF. */
export function tenantIntegrationRoutes(serve: ServeService, deps: BackendDeps): void {
  const { database, encryption, now } = deps;

  serve(internalOperations.putTenantIntegration, {
    handle: async ({ params, body }) => {
      const stored = await putIntegration(database, encryption, params.tenantIntegrationId, body, requestId());
      return { externalTenantId: stored.externalTenantId, status: 'ACTIVE' as const };
    },
  });

  serve(internalOperations.patchTenantIntegration, {
    handle: ({ params, body }) => patchIntegration(database, params.tenantIntegrationId, body, requestId()),
  });

  serve(internalOperations.rotateTenantIntegration, {
    handle: async ({ params, body }) => {
      const given = { newSecret: body.newSecret, rotatedAt: body.rotatedAt === null ? null : new Date(body.rotatedAt) };
      const { rotatedAt } = await rotateSecret(database, encryption, params.tenantIntegrationId, given, requestId());
      return { rotatedAt: rotatedAt?.toISOString() ?? null };
    },
  });

  serve(internalOperations.uninstallTenantIntegration, {
    handle: async ({ params, body }) => {
      const stopped = await uninstallIntegration(database, params.tenantIntegrationId, {
        reason: body.reason,
        now: now(),
        requestId: requestId(),
      });
      if (stopped) {
        await outboundStopped(deps, stopped.tenantId);
        await deps.launcher.endCampaigns(stopped.campaignIds, await dispatchNumbers(database, stopped));
      }
      return { status: 'UNINSTALLED' as const };
    },
  });
}

/** No new submission can begin once the integration is UNINSTALLED, so this waits only for those in flight. */
async function outboundStopped({ database }: BackendDeps, tenantId: string): Promise<void> {
  const end = Date.now() + OUTBOUND_WAIT_MS;
  while ((await countSubmitting(database, tenantId)) > 0) {
    if (Date.now() > end)
      throw new Problem('unavailable', 'A call to the platform is still in flight', { retryAfterSeconds: 2 });
    await setTimeout(OUTBOUND_LOOK_MS);
  }
}
