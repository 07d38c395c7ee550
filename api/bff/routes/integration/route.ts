import type { BackendClient } from '#clients/backend/client.ts';
import { embedSlots } from '#clients/platform/embed-configuration.ts';
import type { BffDatabase } from '#db/bff/database.ts';
import { findIntegrationOfTenant, nextLifecycleNumber } from '#db/bff/integrations.ts';
import type { TenantIntegration } from '#db/bff/models.ts';
import { noteSlots, slotsOf } from '#db/bff/slots.ts';
import { Problem } from '#domain/api/problem.ts';
import { type Integration, sessionOperations } from '#domain/api/session.ts';
import type { ConsoleUser } from '#api/bff/identity/signed-in.ts';
import type { Launcher } from '#api/bff/launch.ts';
import type { ServeConsole } from '../serve-console.ts';

export interface IntegrationDeps {
  database: BffDatabase;
  backend: BackendClient;
  launch: Launcher;
  publicUrl: string;
  temporalUiUrl: string;
  temporalNamespace: string;
  embedAllowedOrigins: string[];
  /** TOOL_API_ENABLED: whether the AI part is enabled. */
  toolApiEnabled: boolean;
  /** Whether there is a file service for pictures. */
  images: boolean;
  /** Whether platform and identity service are the local development sandbox. */
  sandbox: boolean;
}

async function reachable(backend: BackendClient): Promise<'ok' | 'unreachable'> {
  try {
    await backend.ping();
    return 'ok';
  } catch {
    return 'unreachable';
  }
}

/** When the grace period of the replaced secret ends; null if it has ended. */
function graceOf({ replacedAcceptedUntil }: TenantIntegration): Date | null {
  return replacedAcceptedUntil && replacedAcceptedUntil > new Date() ? replacedAcceptedUntil : null;
}

async function present(deps: IntegrationDeps, row: TenantIntegration): Promise<Integration> {
  const [slots, backend] = await Promise.all([
    slotsOf(deps.database, row.tenantIntegrationId),
    reachable(deps.backend),
  ]);
  return {
    status: row.status,
    platformTenantId: row.platformTenantId,
    tenantIntegrationId: row.tenantIntegrationId,
    webhookUrl: row.webhookUrl,
    rotatedAt: row.rotatedAt?.toISOString() ?? null,
    graceUntil: graceOf(row)?.toISOString() ?? null,
    slots: slots.map(({ slot, endpointUrl, status, registeredAt, changedAt, error }) => ({
      slot,
      endpointUrl,
      status,
      registeredAt: registeredAt?.toISOString() ?? null,
      changedAt: changedAt.toISOString(),
      error,
    })),
    embedAllowedOrigins: deps.embedAllowedOrigins,
    copywriting: deps.toolApiEnabled,
    images: deps.images,
    health: {
      backend,
      temporalUiUrl: deps.temporalUiUrl,
      temporalNamespace: deps.temporalNamespace,
      sandbox: deps.sandbox,
    },
  };
}

export function integrationRoutes(serve: ServeConsole, deps: IntegrationDeps): void {
  async function load({ actor }: { actor: ConsoleUser }): Promise<TenantIntegration> {
    const row = await findIntegrationOfTenant(deps.database, actor.tenantId);
    if (!row) throw new Problem('not_found', 'The application was never installed for this tenant');
    return row;
  }

  serve(sessionOperations.getIntegration, { load, handle: ({ loaded }) => present(deps, loaded) });

  serve(sessionOperations.registerSlots, {
    load,
    async handle({ loaded: { tenantIntegrationId, platformTenantId }, loaded }) {
      const number = await nextLifecycleNumber(deps.database, tenantIntegrationId);
      await deps.launch.registerSlots({ tenantIntegrationId, platformTenantId, number });
      const slots = await slotsOf(deps.database, tenantIntegrationId);
      if (slots.length === 0) {
        await noteSlots(deps.database, tenantIntegrationId, embedSlots(deps.publicUrl), { status: 'pending' });
      }
      return present(deps, loaded);
    },
  });
}
