import type { EndpointPauseReason, OutgoingEventType } from '#domain/api/webhook.ts';
import { type Database, firstRow, rows, type Transaction } from '#db/database.ts';

/** An endpoint where a tenant receives its events. */
export interface Endpoint {
  endpointId: string;
  url: string;
  eventTypes: OutgoingEventType[];
  /** Null while events are sent to it. */
  pausedFor: EndpointPauseReason | null;
  createdAt: Date;
  updatedAt: Date;
  revision: number;
  /** Until when the secret before the present one signs as well; null if it does not. */
  previousUntil: Date | null;
}

export interface EndpointKey {
  tenantId: string;
  endpointId: string;
}

export const columns = `endpoint_id, url, to_json(event_types) as event_types, paused_for, created_at, updated_at, revision,
  case when previous_until > now() then previous_until end as previous_until`;

const ofTenant = `select ${columns} from webhook where tenant_id = :tenantId`;
const oldestFirst = 'order by created_at, endpoint_id';

/** A tenant's endpoints, oldest first. */
export const listEndpoints = (database: Database, tenantId: string): Promise<Endpoint[]> =>
  rows<Endpoint>(database, `${ofTenant} ${oldestFirst}`, { tenantId });

/** The oldest of a tenant's endpoints, which `/webhook` is; null if it has none. */
export const findOldestEndpoint = (database: Database, tenantId: string): Promise<Endpoint | null> =>
  firstRow<Endpoint>(database, `${ofTenant} ${oldestFirst} limit 1`, { tenantId });

export const findEndpoint = (database: Database, key: EndpointKey): Promise<Endpoint | null> =>
  firstRow<Endpoint>(database, `${ofTenant} and endpoint_id = :endpointId`, { ...key });

export const lockEndpoint = (transaction: Transaction, key: EndpointKey): Promise<Endpoint | null> =>
  firstRow<Endpoint>(transaction, `${ofTenant} and endpoint_id = :endpointId for update`, { ...key });

/** Lets those who add endpoints of a tenant wait for each other, so that none exceeds how many it may have. */
export async function lockEndpointsOf(transaction: Transaction, tenantId: string): Promise<void> {
  await rows(transaction, `select pg_advisory_xact_lock(hashtextextended('webhook ' || :tenantId::text, 0))`, {
    tenantId,
  });
}

/**
 * Removes endpoints with their secrets, all of the tenant's or one, and gives up what was not delivered there. It waits for
 * every transaction that is writing an event for one.
 */
export async function removeEndpoints(
  transaction: Transaction,
  { tenantId, endpointId = null }: { tenantId: string; endpointId?: string | null },
): Promise<Endpoint[]> {
  const removed = await rows<Endpoint>(
    transaction,
    `delete from webhook where tenant_id = :tenantId and endpoint_id = coalesce(:endpointId::uuid, endpoint_id)
     returning ${columns}`,
    { tenantId, endpointId },
  );
  if (removed.length === 0) return [];
  await rows(
    transaction,
    `update delivery set status = 'failed', next_attempt_at = null, leased_until = null,
       settled_at = coalesce(settled_at, now()), last_error = 'the webhook was removed'
     where endpoint_id = any(:endpointIds::uuid[]) and status = 'pending'`,
    { endpointIds: removed.map((one) => one.endpointId) },
  );
  return removed;
}
