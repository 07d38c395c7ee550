import { randomUUID } from 'node:crypto';
import { eventHandlers } from '#activities/outreach/inbox/handlers/index.ts';
import { handleBatch } from '#activities/outreach/inbox/batch.ts';
import { type Database, rows } from '#db/database.ts';
import { storeEvents } from '#db/outreach/inbox/intake.ts';
import type { HandledEventType, IntakeCommand } from '#domain/api/events.ts';
import { seedSend, type TestSend, type TestTenant } from './rows.ts';

/** What the BFF stores for a tenant's event, with an id of its own. */
export const eventCommand = (
  { tenantIntegrationId }: TestTenant,
  eventType: HandledEventType,
  data: object,
  more: Partial<IntakeCommand> = {},
): IntakeCommand => ({
  tenantIntegrationId,
  eventId: randomUUID(),
  eventType,
  occurredAt: '2026-03-01T10:00:00Z',
  serviceNumberId: 'sn-1',
  payload: JSON.stringify(data),
  ...more,
});

/** The inbox of the whole database as one partition: what is stored, handled and left there. */
export const inboxOf = (database: Database, now = () => new Date()) => ({
  store: (...commands: IntakeCommand[]) => storeEvents(database, commands, 1, now()),
  handle: (handlers = eventHandlers) => handleBatch(database, 0, handlers, now()),
  /** Status of each of the tenant's events in order of receipt, and what it waits for or why it failed. */
  states: async ({ tenantId }: TestTenant) => {
    const found = await rows<{ status: string; waitingFor: string | null; error: string | null }>(
      database,
      `select status, waiting_for, error from event_inbox where tenant_id = :tenantId
       order by received_at`,
      { tenantId },
    );
    return found.map(({ status, waitingFor, error }) => [status, waitingFor ?? error]);
  },
});

/** A send with one sub-task that the platform has accepted. */
export async function seedAccepted(database: Database, { tenantId }: TestTenant): Promise<TestSend> {
  const send = await seedSend(database, tenantId, { chunks: [2] });
  await rows(
    database,
    `update broadcast_task set status = 'sending', task_id = 'task-' || key where campaign_id = :campaignId`,
    { campaignId: send.campaignId },
  );
  return send;
}
