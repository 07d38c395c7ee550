import { RULE_HISTORY_DAYS } from '../../../domain/rules/triggers.ts';
import { type Database, rows } from '../../database.ts';

/**
 * Empties at most `limit` payloads of handled events that were received, and occurred, longer ago than the retention
 * period. The rows stay, so that a redelivered event is still recognised. Events that were never handled keep their
 * payload.
 * @returns how many.
 */
export async function deletePayloads(
  database: Database,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  const deleted = await rows(
    database,
    `update event_inbox set payload = '' where (tenant_integration_id, event_id) in (
       select tenant_integration_id, event_id from event_inbox
       where payload <> '' and status <> 'stored' and received_at < :before and occurred_at < :before
       order by received_at limit :limit for update)
     returning 1`,
    { before: new Date(now.getTime() - RULE_HISTORY_DAYS * 86_400_000), limit },
  );
  return deleted.length;
}
