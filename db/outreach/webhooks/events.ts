import type { EventsQuery, ListedEvent } from '#domain/api/outgoing-events.ts';
import { Problem } from '#domain/api/problem.ts';
import { type Database, firstRow, rows } from '#db/database.ts';
import { bodyOfEvent } from './relay.ts';
import { KEPT } from './retention.ts';

const noteReader = `insert into event_reader (tenant_id) values (:tenantId) on conflict do nothing`;

// Whoever reads waits for others who do: places are given one after the other, so an event that is committed later gets a
// later one. What still collects contacts, or is locked because it just got some, gets one with the next read.
const placeSql = `
  update outgoing_event e set position = placed.position from (
    select event_id, nextval('outgoing_event_position') as position from (
      select event_id from outgoing_event
      where tenant_id = :tenantId and position is null and type <> 'webhook.test'
        and (batch_key is null or created_at <= clock_timestamp() - interval '2 seconds'
          or exists (select from delivery d where d.event_id = outgoing_event.event_id and d.attempts > 0))
      order by created_at, event_id for update skip locked) ordered) placed
  where e.event_id = placed.event_id`;

const place = (tenantId: string, database: Database): Promise<void> =>
  database.transaction(async (transaction) => {
    await rows(transaction, `select pg_advisory_xact_lock(hashtextextended('events ' || :tenantId::text, 0))`, {
      tenantId,
    });
    await rows(transaction, placeSql, { tenantId });
  });

/**
 * Events of a tenant in the order of their places, at most `limit` + 1, so that a caller sees whether there are more.
 * @throws Problem `gone` where `after` is unknown or older than 30 days.
 */
export async function listEvents(
  database: Database,
  tenantId: string,
  { limit, after, type }: EventsQuery,
): Promise<ListedEvent[]> {
  await rows(database, noteReader, { tenantId });
  await place(tenantId, database);
  const from = after
    ? await firstRow<{ position: string }>(
        database,
        `select position::text from outgoing_event
         where tenant_id = :tenantId and event_id = :after and position is not null and created_at > now() - ${KEPT}`,
        { tenantId, after },
      )
    : { position: '0' };
  if (!from) throw new Problem('gone', 'The event is unknown, or older than 30 days: read from the beginning');
  const types = type === undefined ? null : [type].flat();
  const found = await rows<{ eventId: string; body: string }>(
    database,
    `select e.event_id, ${bodyOfEvent} as body from outgoing_event e
     where e.tenant_id = :tenantId and e.position > :from::bigint and e.created_at > now() - ${KEPT}
       and (:types::text[] is null or e.type = any(:types::text[]))
     order by e.position limit :rows`,
    { tenantId, from: from.position, types, rows: limit + 1 },
  );
  return found.map(({ eventId, body }) => ({ eventId, ...(JSON.parse(body) as Omit<ListedEvent, 'eventId'>) }));
}
