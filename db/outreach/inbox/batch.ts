import type { HandledEventType } from '#domain/api/events.ts';
import type { TraceParent } from '#domain/tracing.ts';
import { ERASED_REASON } from '#domain/event-errors.ts';
import { rows, type Transaction } from '#db/database.ts';
import { preparedRows, type Prepared } from '#db/prepared.ts';
import { withPlannerMethodsDisabled } from '../planner-methods.ts';
import { READ_OF_MANY, subjectJoins, thingsNamed } from './subjects.ts';

/** One stored event, as handlers receive it. */
export interface StoredEvent {
  tenantIntegrationId: string;
  eventId: string;
  tenantId: string;
  eventType: HandledEventType;
  serviceNumberId: string | null;
  /** The event's data as JSON text. */
  payload: string;
  occurredAt: Date;
  /** Of that, what a Date does not hold: microseconds of its millisecond. */
  microseconds: number;
  receivedAt: Date;
  /** Null without traces. */
  traceParent: TraceParent | null;
}

// A skip scan over the tenants with due events, then the oldest of each: no tenant waits behind another's backlog. Each
// event is looked up by its key; the empty text keeps the planner off the indexes of stored events.
const takeDue: Prepared = {
  name: 'take-due-events',
  sql: `
  with recursive tenants(tenant_id) as (
    (select tenant_id from event_inbox where partition = :partition and status = 'stored' order by tenant_id limit 1)
    union all
    select (select e.tenant_id from event_inbox e where e.partition = :partition and e.status = 'stored'
              and e.tenant_id > t.tenant_id order by e.tenant_id limit 1)
    from tenants t where t.tenant_id is not null
  ),
  due as (
    select e.tenant_integration_id, e.event_id, e.received_at, e.bytes,
      row_number() over (partition by t.tenant_id order by e.next_attempt_at) as position
    from tenants t cross join lateral (
      select tenant_integration_id, event_id, received_at, next_attempt_at, octet_length(payload) as bytes from event_inbox
      where partition = :partition and tenant_id = t.tenant_id and status = 'stored' and next_attempt_at <= :now
      order by next_attempt_at limit :limit) e
    where t.tenant_id is not null
    order by position limit :limit
  ),
  affordable as (
    select tenant_integration_id, event_id, received_at,
      sum(bytes) over (order by position, tenant_integration_id, event_id) - bytes as before
    from due
  )
  select e.tenant_integration_id, e.event_id, e.tenant_id, e.event_type, e.service_number_id, e.payload, e.occurred_at,
    extract(microseconds from e.occurred_at)::int % 1000 as microseconds, e.received_at, e.trace_parent
  from affordable a cross join lateral (
    select * from event_inbox
    where tenant_integration_id = a.tenant_integration_id and event_id = a.event_id and received_at = a.received_at
      and status || '' = 'stored'
    limit 1 for update skip locked) e
  where a.before < :bytes order by e.next_attempt_at`,
};

/**
 * At most `limit` events of the partition that are due `now`, fair by tenant, locked until the transaction ends. None is added to
 * `bytes` of payload, so there are at most that many and one event more.
 */
export function takeDueEvents(
  transaction: Transaction,
  { partition, limit, bytes, now }: { partition: number; limit: number; bytes: number; now: Date },
): Promise<StoredEvent[]> {
  // Usually the statistics know of no stored event: the planner would sort all of a backlog for each batch of it, or keep a
  // plan that reads a young month from its beginning.
  return withPlannerMethodsDisabled(transaction, ['seqscan', 'sort'], () =>
    preparedRows<StoredEvent>(transaction, takeDue, { partition, limit, bytes, now }),
  );
}

/** The outcome of one event. */
export type EventOutcome =
  | { kind: 'processed' }
  /** Its context is still missing, e.g. `task:t-1`; the event that supplies the context wakes it. */
  | { kind: 'waits'; for: string }
  | { kind: 'failed'; reason: string }
  /** It is about a contact that was erased after it had occurred: nothing of it is kept. */
  | { kind: 'erased' };

export interface SettledEvent {
  event: StoredEvent;
  outcome: EventOutcome;
}

/** How long an event may wait for its context. */
const WAIT_HOURS = 24;

/** What the data of the events names, and where that leads by now. */
const given = `unnest(:integrationIds::text[], :eventIds::text[], :texts::text[], :tenantIds::text[], :contactIds::text[],
      :taskIds::text[], :sessionIds::text[], :receivedAt::timestamptz[])
    as g(integration_id, event_id, text, tenant_id, contact_id, task_id, session_id, received_at)`;

/**
 * The time leads each event to its own month. It is compared with the event's own, not with bounds for all of them: of
 * those the planner, without statistics of a young month, expects a few rows, and then reads the month once per event.
 */
const keyed = `where e.tenant_integration_id = g.integration_id and e.event_id = g.event_id
    and e.received_at >= g.received_at and e.received_at < g.received_at + interval '1 millisecond'`;

const known = `from (select g.*, t.campaign_id, c.campaign_id as opened_by, c.contact_id as opener from ${given}
    ${subjectJoins('g.tenant_id', 'g')}) g ${keyed}`;

const subject = `attempts = e.attempts + 1, contact_id = coalesce(g.contact_id, g.opener, e.contact_id),
      campaign_id = coalesce(g.campaign_id, g.opened_by, e.campaign_id)`;

const age = '(:now::timestamptz - e.received_at)';

const settling = {
  processed: `update event_inbox e set status = 'processed', processed_at = :now, waiting_for = null, error = null,
      ${subject} ${known}`,
  failed: `update event_inbox e set status = 'failed', processed_at = :now, waiting_for = null, error = g.text,
      ${subject} ${known}`,
  erased: `update event_inbox e set status = 'dismissed', processed_at = :now, waiting_for = null, payload = '',
      error = '${ERASED_REASON}', attempts = e.attempts + 1, contact_id = null from ${given} ${keyed}`,
  // Retried at growing intervals, although its context will wake it.
  waits: `update event_inbox e set waiting_for = case when ${age} < interval '${WAIT_HOURS} hours' then g.text end,
      status = case when ${age} < interval '${WAIT_HOURS} hours' then 'stored' else 'failed' end,
      error = case when ${age} >= interval '${WAIT_HOURS} hours'
        then 'There was no ' || g.text || ' within ${WAIT_HOURS} hours' end,
      processed_at = case when ${age} >= interval '${WAIT_HOURS} hours' then :now::timestamptz end,
      next_attempt_at = :now::timestamptz + least(greatest(${age}, interval '5 seconds'), interval '10 minutes'),
      ${subject} ${known}`,
};

const named = (kind: keyof typeof settling): Prepared => ({ name: `settle-${kind}`, sql: settling[kind] });

const settleEach: Record<keyof typeof settling, Prepared> = {
  processed: named('processed'),
  failed: named('failed'),
  erased: named('erased'),
  waits: named('waits'),
};

const textOf = (outcome: EventOutcome): string => {
  if (outcome.kind === 'waits') return outcome.for;
  return outcome.kind === 'failed' ? outcome.reason.replaceAll('\u0000', '').slice(0, 1000) : '';
};

async function settle(transaction: Transaction, settled: SettledEvent[], now: Date): Promise<void> {
  for (const kind of ['processed', 'waits', 'failed', 'erased'] as const) {
    const group = settled.filter(({ outcome }) => outcome.kind === kind);
    if (group.length === 0) continue;
    const things = group.map(({ event }) => thingsNamed(event.payload.length <= READ_OF_MANY ? event.payload : null));
    await preparedRows(transaction, settleEach[kind], {
      integrationIds: group.map(({ event }) => event.tenantIntegrationId),
      eventIds: group.map(({ event }) => event.eventId),
      texts: group.map(({ outcome }) => textOf(outcome)),
      tenantIds: group.map(({ event }) => event.tenantId),
      contactIds: things.map(({ contactId }) => contactId ?? null),
      taskIds: things.map(({ taskId }) => taskId ?? null),
      sessionIds: things.map(({ sessionId }) => sessionId ?? null),
      receivedAt: group.map(({ event }) => event.receivedAt),
      now,
    });
  }
}

/** Stores the outcomes of the events of a batch, in its transaction. Each is looked up, and none beside it is read. */
export async function settleEvents(transaction: Transaction, settled: SettledEvent[], now: Date): Promise<void> {
  if (settled.length === 0) return;
  await withPlannerMethodsDisabled(transaction, ['seqscan', 'hashjoin', 'mergejoin', 'material'], () =>
    settle(transaction, settled, now),
  );
}

/**
 * Makes events due `now` whose context now exists; each pair is a tenant and what its events wait for. Waits for none: a
 * batch that has one in hand may itself wait for rows that the caller holds, and tries the event again by itself.
 */
export async function wakeWaiting(
  transaction: Transaction,
  contexts: { tenantId: string; for: string }[],
  now: Date,
): Promise<void> {
  if (contexts.length === 0) return;
  await rows(
    transaction,
    `update event_inbox set next_attempt_at = :now where (tenant_integration_id, event_id) in (
       select e.tenant_integration_id, e.event_id
       from event_inbox e join unnest(:tenantIds::text[], :contexts::text[]) as g(tenant_id, context)
         on e.tenant_id = g.tenant_id and e.waiting_for = g.context and e.status = 'stored'
       for update of e skip locked)`,
    { tenantIds: contexts.map(({ tenantId }) => tenantId), contexts: contexts.map((context) => context.for), now },
  );
}
