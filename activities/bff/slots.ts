import { activityInfo, ApplicationFailure } from '@temporalio/activity';
import type { BffDatabase } from '#db/bff/database.ts';
import { findIntegration, secretsOf, setWebhook } from '#db/bff/integrations.ts';
import { areRegistered, noteSlots } from '#db/bff/slots.ts';
import { internalOperations } from '#domain/api/internal.ts';
import type { BackendClient } from '#clients/backend/client.ts';
import {
  EmbedRegistrationError,
  type EmbedSlotConfiguration,
  embedSlots,
  type RegisterSlots,
} from '#clients/platform/embed-configuration.ts';
import { withJitter } from '../jitter.ts';
import { auditRegistration } from './audit.ts';
import { createPlatformPause } from './platform-pause.ts';
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
  const pause = createPlatformPause(deps.backend);

  async function activeIntegration(id: string) {
    const row = await findIntegration(database, id);
    return row?.status === 'ACTIVE' && row.uninstallNumber === null ? row : undefined;
  }

  async function postpone(id: string, wanted: EmbedSlotConfiguration[], error: string, waitMs: number | null) {
    await noteSlots(database, id, wanted, { status: 'failed', error });
    return ApplicationFailure.create({
      message: error,
      type: 'EmbedRegistration',
      ...(waitMs === null ? {} : { nextRetryDelay: withJitter(waitMs) }),
    });
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
      // Without the backend no pause is known, and nobody else calls the platform: registration does not depend on it.
      const pausedMs = await pause.read(id).catch(() => 0);
      if (pausedMs > 0) throw await postpone(id, wanted, 'The platform has asked to be called later', pausedMs);
      // The secret may have been rotated, or the integration uninstalled, while the backend was asked.
      const current = await activeIntegration(id);
      if (!current) return 'not_active';
      try {
        await deps.register({ tenantIntegrationId: id, secret: secretsOf(database, current).current }, wanted);
      } catch (error) {
        if (!(error instanceof EmbedRegistrationError)) throw error;
        // Without the backend, only this registration respects the pause; the next call that gets one stores it.
        if (error.pauseMs !== null) await pause.store(id, error.pauseMs).catch(() => undefined);
        throw await postpone(id, wanted, error.message, error.retryAfterMs);
      }
      await noteSlots(database, id, wanted, { status: 'registered' });
      await auditRegistration(deps.backend, current, wanted);
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
