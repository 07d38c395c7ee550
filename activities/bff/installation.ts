import { ApplicationFailure, activityInfo } from '@temporalio/activity';
import type { BffDatabase } from '../../db/bff/database.ts';
import { activateIntegration, findIntegration, finishUninstall, secretsOf } from '../../db/bff/integrations.ts';
import { internalOperations } from '../../domain/api/internal.ts';
import { isRefusal, type BackendClient } from './backend-client.ts';

export interface OfIntegration {
  tenantIntegrationId: string;
}

export type InstallOutcome = { kind: 'active' } | { kind: 'refused'; code: 'conflict' | 'gone' };

/** The id that a workflow's calls carry, so that the logs of both services name the workflow. */
export function activityRequestId(): string {
  return activityInfo().workflowExecution?.runId ?? 'outside-a-workflow';
}

/** Brings an installed integration to the backend, and makes it ACTIVE here. */
export function createInstallationActivities(deps: { database: BffDatabase; backend: BackendClient }) {
  const { database } = deps;
  return {
    /**
     * Sends what the install call brought, with the secret that is current at that moment. Safe to repeat.
     * @throws ApplicationFailure `InstallReplaced` where another install call came in between; worth repeating.
     */
    async synchronizeInstallation({ tenantIntegrationId }: OfIntegration): Promise<InstallOutcome> {
      const row = await findIntegration(database, tenantIntegrationId);
      if (!row || row.status === 'UNINSTALLED' || row.uninstallNumber !== null)
        return { kind: 'refused', code: 'gone' };
      if (row.status === 'ACTIVE') return { kind: 'active' };
      if (!row.handshake)
        throw ApplicationFailure.nonRetryable('A PENDING integration without its install call', 'Defect');
      try {
        const { externalTenantId } = await deps.backend.call(internalOperations.putTenantIntegration, {
          params: { tenantIntegrationId },
          body: {
            platformTenantId: row.platformTenantId,
            tenantIntegrationSecret: secretsOf(database, row).current,
            webhookUrl: row.webhookUrl,
            ...row.handshake,
          },
          requestId: activityRequestId(),
        });
        const activation = await activateIntegration(database, {
          id: tenantIntegrationId,
          revision: row.revision,
          externalTenantId,
        });
        if (activation === 'changed') {
          throw ApplicationFailure.create({ message: 'Another install call came in between', type: 'InstallReplaced' });
        }
        return activation === 'active' ? { kind: 'active' } : { kind: 'refused', code: activation };
      } catch (error) {
        if (isRefusal(error, 'conflict')) return { kind: 'refused', code: 'conflict' };
        if (isRefusal(error, 'gone')) return { kind: 'refused', code: 'gone' };
        throw error;
      }
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
        if (!isRefusal(error, 'not_found', 'gone')) throw error;
      }
      await finishUninstall(database, tenantIntegrationId);
    },
  };
}
