import type { IntakeCommand } from '#domain/api/events.ts';
import { type Database, rows } from '#db/database.ts';
import { preparedRows, type Prepared } from '#db/prepared.ts';

/** The outcome of one command: stored in this partition, a duplicate, or from an integration that is not ACTIVE. */
export type Stored = { kind: 'stored'; partition: number } | { kind: 'duplicate' } | { kind: 'unknown_integration' };

// The same in every process and every PostgreSQL version; a tenant's events stay in one partition.
const partitionOf = `(('x' || substr(md5(i.tenant_id), 1, 8))::bit(32)::bigint % :partitions)::int`;

/**
 * The key is unique within a month; an event of another month is looked for by its key. The offset keeps the planner from
 * joining whole partitions.
 */
const knownInSomeMonth = `exists (select from event_inbox e
  where e.tenant_integration_id = g.integration_id and e.event_id = g.event_id offset 0)`;

/**
 * A time later than its receipt counts as that, or it would stay a contact's latest event. Without traces nothing of them is part
 * of the statement.
 */
const insertSql = (traced: boolean) => `
  insert into event_inbox (tenant_integration_id, event_id, tenant_id, event_type, service_number_id, partition, payload,
    occurred_at, received_at, next_attempt_at${traced ? ', trace_parent' : ''})
  select g.integration_id, g.event_id, i.tenant_id, g.event_type, g.service_number_id, ${partitionOf}, g.payload,
    least(g.occurred_at, :now::timestamptz), :now, :now${traced ? ', g.trace_parent' : ''}
  from unnest(:integrationIds::text[], :eventIds::text[], :eventTypes::text[], :serviceNumberIds::text[],
      :payloads::text[], :times::timestamptz[]${traced ? ', :traceParents::text[]' : ''})
    with ordinality as g(integration_id, event_id, event_type, service_number_id, payload, occurred_at,
      ${traced ? 'trace_parent, ' : ''}position)
  join tenant_integration i on i.tenant_integration_id = g.integration_id and i.status = 'ACTIVE'
  where not ${knownInSomeMonth}
  order by g.position
  on conflict do nothing
  returning tenant_integration_id as integration_id, event_id, partition`;

const insertEvents: Prepared = { name: 'store-events', sql: insertSql(false) };
const insertTracedEvents: Prepared = { name: 'store-traced-events', sql: insertSql(true) };

const idOf = (integrationId: string, eventId: string) => `${integrationId} ${eventId}`;

/** For this long before and after the end of a month, events are stored by one transaction at a time. */
const TURN_OF_MONTH_MS = 300_000;

/** Whether a transaction that is under way at `now` could store its events in another month than one beside it. */
export function isTurnOfMonth(now: Date): boolean {
  const monthOf = (ms: number) => new Date(now.getTime() + ms).toISOString().slice(0, 7);
  return monthOf(-TURN_OF_MONTH_MS) !== monthOf(TURN_OF_MONTH_MS);
}

/** Two deliveries of an event at the turn of a month would not see each other: neither has committed. */
function insertAlone(database: Database, statement: Prepared, bindings: Record<string, unknown>): Promise<Inserted[]> {
  return database.transaction(async (transaction) => {
    await rows(transaction, `select pg_advisory_xact_lock(hashtextextended('turn of the month', 0))`, {});
    return await preparedRows<Inserted>(transaction, statement, bindings);
  });
}

interface Inserted {
  integrationId: string;
  eventId: string;
  partition: number;
}

/** Stores each event once, in one statement; one result per command, in order. */
export async function storeEvents(
  database: Database,
  commands: IntakeCommand[],
  partitions: number,
  now = new Date(),
): Promise<Stored[]> {
  const integrationIds = commands.map((command) => command.tenantIntegrationId);
  const isTraced = commands.some(({ traceParent }) => traceParent !== undefined);
  const statement = isTraced ? insertTracedEvents : insertEvents;
  const bindings = {
    ...(isTraced && { traceParents: commands.map(({ traceParent = null }) => traceParent) }),
    partitions,
    now,
    integrationIds,
    eventIds: commands.map((command) => command.eventId),
    eventTypes: commands.map((command) => command.eventType),
    serviceNumberIds: commands.map((command) => command.serviceNumberId),
    payloads: commands.map((command) => command.payload),
    times: commands.map((command) => command.occurredAt),
  };
  const inserted = isTurnOfMonth(now)
    ? await insertAlone(database, statement, bindings)
    : await preparedRows<Inserted>(database, statement, bindings);
  const stored = new Map(inserted.map((row) => [idOf(row.integrationId, row.eventId), row.partition]));
  const known =
    stored.size === commands.length ? new Set<string>() : await activeIntegrations(database, integrationIds);
  return commands.map(({ tenantIntegrationId, eventId }) => {
    const id = idOf(tenantIntegrationId, eventId);
    const partition = stored.get(id);
    // The same event twice in one call: the second is a duplicate of the first.
    stored.delete(id);
    if (partition !== undefined) return { kind: 'stored', partition };
    return { kind: known.has(tenantIntegrationId) ? 'duplicate' : 'unknown_integration' };
  });
}

async function activeIntegrations(database: Database, ids: string[]): Promise<Set<string>> {
  const found = await rows<{ id: string }>(
    database,
    `select tenant_integration_id as id from tenant_integration
     where tenant_integration_id = any(:ids) and status = 'ACTIVE'`,
    { ids: [...new Set(ids)] },
  );
  return new Set(found.map(({ id }) => id));
}

const findIdle: Prepared = {
  name: 'partitions-to-wake',
  sql: `select p as partition from unnest(:partitions::int[]) as p where not exists (
    select 1 from inbox_lease l where l.partition = p and l.state = 'draining' and l.expires_at > clock_timestamp())`,
};

/**
 * Those of the partitions that nobody drains, or whose drain is about to look for the last time. Call it after the
 * events are committed: a drain that is still `draining` then will look again.
 */
export async function partitionsToWake(database: Database, partitions: number[]): Promise<number[]> {
  const found = await preparedRows<{ partition: number }>(database, findIdle, { partitions });
  return found.map(({ partition }) => partition);
}
