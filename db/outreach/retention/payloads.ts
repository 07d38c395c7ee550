import { type Database, rows } from '#db/database.ts';

/**
 * Empties at most `limit` payloads of handled events that were received, and occurred, before `before`. The rows stay
 * until their whole month is as old. Events that were never handled keep their payload.
 * @returns how many.
 */
export async function deletePayloads(
  database: Database,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const deleted = await rows(
    database,
    `update event_inbox set payload = '', contact_id = null where (tenant_integration_id, event_id, received_at) in (
       select tenant_integration_id, event_id, received_at from event_inbox
       where payload <> '' and status <> 'stored' and received_at < :before and occurred_at < :before
       order by received_at limit :limit for update)
     returning 1`,
    { before, limit },
  );
  return deleted.length;
}
