import type { OutgoingEventType } from '#domain/api/webhook.ts';
import { type Database, firstRow, rows, type Transaction } from '#db/database.ts';

/** Where a tenant receives its events. */
export interface Webhook {
  url: string;
  eventTypes: OutgoingEventType[];
  createdAt: Date;
  updatedAt: Date;
  revision: number;
  /** Until when the secret before the present one signs as well; null if it does not. */
  previousUntil: Date | null;
}

export const columns = `url, to_json(event_types) as event_types, created_at, updated_at, revision,
  case when previous_until > now() then previous_until end as previous_until`;

export function findWebhook(database: Database, tenantId: string): Promise<Webhook | null> {
  return firstRow<Webhook>(database, `select ${columns} from webhook where tenant_id = :tenantId`, { tenantId });
}

export const lock = (transaction: Transaction, tenantId: string) =>
  firstRow<Webhook>(transaction, `select ${columns} from webhook where tenant_id = :tenantId for update`, { tenantId });

/**
 * Removes the webhook with its secrets, and gives up what was not delivered. It waits for every transaction that is writing an
 * event for it.
 * @returns null if there was none.
 */
export async function removeWebhook(transaction: Transaction, tenantId: string): Promise<Webhook | null> {
  const removed = await firstRow<Webhook>(
    transaction,
    `delete from webhook where tenant_id = :tenantId returning ${columns}`,
    { tenantId },
  );
  if (!removed) return null;
  await rows(
    transaction,
    `update delivery set status = 'failed', next_attempt_at = null, leased_until = null,
       settled_at = coalesce(settled_at, now()), last_error = 'the webhook was removed'
     where tenant_id = :tenantId and status = 'pending'`,
    { tenantId },
  );
  return removed;
}
