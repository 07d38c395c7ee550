import { activityInfo, ApplicationFailure } from '@temporalio/activity';
import type { BffDatabase } from '../../db/bff/database.ts';
import { findIntegration, secretsOf, setWebhook } from '../../db/bff/integrations.ts';
import { areRegistered, noteSlots } from '../../db/bff/slots.ts';
import { internalOperations } from '../../domain/api/internal.ts';
import type { BackendClient } from '../../clients/backend/client.ts';
import { EmbedRegistrationError, embedSlots, type RegisterSlots } from '../../clients/platform/embed-configuration.ts';
import { activityRequestId, type OfIntegration } from './installation.ts';

export type SlotsOutcome = 'registered' | 'not_active';

/** What the platform and the backend must know about the BFF's address. */
export function createSlotActivities(deps: {
  database: BffDatabase;
  backend: BackendClient;
  register: RegisterSlots;
  publicUrl: string;
}) {
  const { database } = deps;

  async function activeIntegration(id: string) {
    const row = await findIntegration(database, id);
    return row?.status === 'ACTIVE' && row.uninstallNumber === null ? row : undefined;
  }

  return {
    /**
     * Registers all slots in one call, with the secret that is current at that time. Safe to repeat. An install that
     * finds them registered does nothing: one of several concurrent calls may reach the workflow only after it has
     * ended.
     */
    async registerEmbedSlots({ tenantIntegrationId: id }: OfIntegration): Promise<SlotsOutcome> {
      const row = await activeIntegration(id);
      if (!row) return 'not_active';
      const wanted = embedSlots(deps.publicUrl);
      if (activityInfo().workflowType === 'installTenant' && (await areRegistered(database, id, wanted)))
        return 'registered';
      if (activityInfo().attempt === 1) await noteSlots(database, id, wanted, { status: 'pending' });
      try {
        await deps.register({ tenantIntegrationId: id, secret: secretsOf(database, row).current }, wanted);
      } catch (error) {
        if (!(error instanceof EmbedRegistrationError)) throw error;
        await noteSlots(database, id, wanted, { status: 'failed', error: error.message });
        throw ApplicationFailure.create({
          message: error.message,
          type: 'EmbedRegistration',
          ...(error.retryAfterMs === null ? {} : { nextRetryDelay: error.retryAfterMs }),
        });
      }
      await noteSlots(database, id, wanted, { status: 'registered' });
      return 'registered';
    },

    /** Reports the webhook address to the backend if it changed. Safe to repeat. */
    async announceWebhook({ tenantIntegrationId: id }: OfIntegration): Promise<void> {
      const webhookUrl = `${deps.publicUrl}/webhook`;
      const row = await activeIntegration(id);
      if (!row || row.webhookUrl === webhookUrl) return;
      await deps.backend.call(internalOperations.patchTenantIntegration, {
        params: { tenantIntegrationId: id },
        body: { webhookUrl },
        requestId: activityRequestId(),
      });
      await setWebhook(database, id, webhookUrl);
    },
  };
}
