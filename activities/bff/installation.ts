import { ApplicationFailure, activityInfo } from '@temporalio/activity';
import type { BffDatabase } from '#db/bff/database.ts';
import { activateIntegration } from '#commands/bff/activate-integration.ts';
import { discardInstall, findIntegration, secretsOf } from '#db/bff/integrations.ts';
import { finishUninstall } from '#commands/bff/finish-uninstall.ts';
import type { TenantIntegration } from '#db/bff/models.ts';
import { internalOperations, type PutTenantIntegration } from '#domain/api/internal.ts';
import { isBackendError, type BackendClient } from '#clients/backend/client.ts';

export interface OfIntegration {
  tenantIntegrationId: string;
}

/** The revision of the integration's row that this is about, and the outcome. */
export type InstallOutcome = { revision: number } & (
  { kind: 'active' } | { kind: 'refused'; code: 'conflict' | 'gone' }
);

/** The id sent with a workflow's calls, so that the logs of both services identify the workflow. */
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

/** Installs an integration at the backend and makes it ACTIVE here. */
export function createInstallationActivities(deps: { database: BffDatabase; backend: BackendClient }) {
  const { database } = deps;
  return {
    /**
     * Sends the data of the install call, with the secret that is current at that time. Safe to repeat. An install
     * that was rejected for a conflict is discarded, and rejected again when it is queried.
     * @throws ApplicationFailure `InstallReplaced` if another install call arrived in between; retryable.
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
      throw ApplicationFailure.create({ message: 'Another install call arrived in between', type: 'InstallReplaced' });
    },

    /**
     * Ends the integration at the backend (which responds once outbound calls have stopped) and then here. Safe to
     * repeat.
     */
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
        // An integration that never became ACTIVE does not exist there, so it cannot send anything.
        if (!isBackendError(error, 'not_found', 'gone')) throw error;
      }
      await finishUninstall(database, tenantIntegrationId);
    },
  };
}
