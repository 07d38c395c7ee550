import { log } from '@temporalio/activity';
import { uuidv7 } from 'uuidv7';
import type { BackendClient } from '#clients/backend/client.ts';
import type { TenantIntegration } from '#db/bff/models.ts';
import { internalOperations } from '#domain/api/internal.ts';
import { activityRequestId } from './installation.ts';

/** Has the backend record that slots were registered, which stands whether or not the audit log can have it. */
export async function auditRegistration(
  backend: BackendClient,
  { platformTenantId, tenantIntegrationId }: TenantIntegration,
  slots: readonly { slot: string }[],
): Promise<void> {
  const requestId = activityRequestId();
  const entry = {
    auditId: uuidv7(),
    platformTenantId,
    actor: 'service:bff',
    action: 'integration.register_slots' as const,
    objectType: 'integration' as const,
    objectId: tenantIntegrationId,
    after: { slots: slots.map(({ slot }) => slot) },
    requestId,
    callerRequestId: null,
  };
  await backend
    .call(internalOperations.noteAudit, { body: { entries: [entry] }, requestId })
    .catch((error: unknown) => log.warn('a registration of slots is not in the audit log', { error, entry }));
}
