import { ApplicationFailure, activityInfo } from '@temporalio/activity';
import type { BffDatabase } from '../../db/bff/database.ts';
import {
  activateIntegration,
  discardInstall,
  findIntegration,
  finishUninstall,
  secretsOf,
} from '../../db/bff/integrations.ts';
import type { TenantIntegration } from '../../db/bff/models.ts';
import { internalOperations, type PutTenantIntegration } from '../../domain/api/internal.ts';
import { isBackendError, type BackendClient } from '../../clients/backend/client.ts';

export interface OfIntegration {
  tenantIntegrationId: string;
}

/** For which revision of the integration's row, and what became of it. */
export type InstallOutcome = { revision: number } & (
  { kind: 'active' } | { kind: 'refused'; code: 'conflict' | 'gone' }
);

/** The id that a workflow's calls carry, so that the logs of both services name the workflow. */
export function activityRequestId(): string {
  return activityInfo().workflowExecution?.runId ?? 'outside-a-workflow';
}

function putBody(database: BffDatabase, row: TenantIntegration): PutTenantIntegration {
  if (!row.handshake) throw ApplicationFailure.nonRetryable('A PENDING integration without its install call', 'Defect');
  return {
    platformTenantId: row.platformTenantId,
    tenantIntegrationSecret: secretsOf(database, row).current,
    webhookUrl: row.webhookUrl,
    ...row.handshake,
  };
}

/** Brings an installed integration to the backend, and makes it ACTIVE here. */
export function createInstallationActivities(deps: { database: BffDatabase; backend: BackendClient }) {
  const { database } = deps;
  return {
    /**
     * Sends what the install call brought, with the secret that is current at that moment. Safe to repeat.
     * An install that was refused for a conflict is forgotten, and refused again where it is asked about.
     * @throws ApplicationFailure `InstallReplaced` where another install call came in between; worth repeating.
     */
    async synchronizeInstallation({ tenantIntegrationId }: OfIntegration): Promise<InstallOutcome> {
      const row = await findIntegration(database, tenantIntegrationId);
      if (!row) return { kind: 'refused', code: 'conflict', revision: Number.MAX_SAFE_INTEGER };
      const { revision } = row;
      if (row.status === 'UNINSTALLED' || row.uninstallNumber !== null)
        return { kind: 'refused', code: 'gone', revision };
      if (row.status === 'ACTIVE') return { kind: 'active', revision };
      try {
        const { externalTenantId } = await deps.backend.call(internalOperations.putTenantIntegration, {
          params: { tenantIntegrationId },
          body: putBody(database, row),
          requestId: activityRequestId(),
        });
        const install = { id: tenantIntegrationId, revision, externalTenantId };
        const activation = await activateIntegration(database, install);
        if (activation === 'active') return { kind: 'active', revision };
        if (activation !== 'changed') return { kind: 'refused', code: activation, revision };
      } catch (error) {
        if (isBackendError(error, 'gone')) return { kind: 'refused', code: 'gone', revision };
        if (!isBackendError(error, 'conflict')) throw error;
        await discardInstall(database, tenantIntegrationId, revision);
        return { kind: 'refused', code: 'conflict', revision };
      }
      throw ApplicationFailure.create({ message: 'Another install call came in between', type: 'InstallReplaced' });
    },

    /** Ends the integration at the backend (which answers once outbound has stopped) and then here. Safe to repeat. */
    async stopIntegration({ tenantIntegrationId }: OfIntegration): Promise<void> {
      const row = await findIntegration(database, tenantIntegrationId);
      if (!row || row.status === 'UNINSTALLED') return;
      try {
        await deps.backend.call(internalOperations.uninstallTenantIntegration, {
          params: { tenantIntegrationId },
          body: row.uninstallReason === null ? {} : { reason: row.uninstallReason },
          requestId: activityRequestId(),
          timeoutMs: 20_000,
        });
      } catch (error) {
        // An integration that never became ACTIVE is not there: nothing of it can go out.
        if (!isBackendError(error, 'not_found', 'gone')) throw error;
      }
      await finishUninstall(database, tenantIntegrationId);
    },
  };
}
