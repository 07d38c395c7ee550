import { ERASED_REASON } from '#domain/event-errors.ts';
import { mentions, withoutMentions } from '#domain/contacts/mentions.ts';
import { parseExact } from '#domain/json-text.ts';
import { type Database, rows } from '#db/database.ts';
import { isBusy } from '#db/errors.ts';
import type { Erasure } from './erasures.ts';
import { rowsThatMayName } from './scan.ts';

/** A received event that names a contact. */
export interface NamingEvent {
  at: string;
  id: string;
  tenantIntegrationId: string;
  eventType: string;
  status: string;
  occurredAt: Date;
  receivedAt: Date;
  /** As parsed; text if it is not JSON. */
  data: unknown;
  error: string | null;
  /** It is about the contact; otherwise it is about somebody else, and names the contact. */
  about: boolean;
}

type StoredEvent = Omit<NamingEvent, 'data' | 'about'> & { payload: string };

// A payload may spell a character with a backslash: then only parsing tells. The closing of a conversation does not say
// whose it was.
const eventTable = {
  table: 'event_inbox',
  at: 'received_at',
  id: 'event_id',
  columns: 'tenant_integration_id, event_type, status, occurred_at, received_at, payload, error',
  mayName: `position(:needle in payload) > 0 or position(chr(92) in payload) > 0
    or (event_type = 'session.closed' and payload <> '') or position(:contactId in error) > 0`,
  step: 2000,
  page: 100,
} as const;

/** The contact and those whose conversations count as theirs: the contact's pseudonym, while it is being erased. */
export interface Named {
  tenantId: string;
  contactId: string;
  pseudonym?: string;
}

async function sessionsOf(database: Database, { tenantId, contactId, pseudonym }: Named): Promise<Set<string>> {
  const found = await rows<{ sessionId: string }>(
    database,
    'select session_id from conversation where tenant_id = :tenantId and contact_id = any(:ids)',
    { tenantId, ids: pseudonym === undefined ? [contactId] : [contactId, pseudonym] },
  );
  return new Set(found.map(({ sessionId }) => sessionId));
}

function parsed(payload: string): unknown {
  try {
    return parseExact(payload);
  } catch {
    return payload;
  }
}

const member = (data: unknown, name: string): unknown =>
  typeof data === 'object' && data !== null ? (data as Record<string, unknown>)[name] : undefined;

/** What the tenant received that is about the contact or names it, the oldest first, a page at a time. */
export async function* eventsNaming(database: Database, named: Named): AsyncGenerator<NamingEvent[]> {
  const { contactId } = named;
  const sessions = await sessionsOf(database, named);
  for await (const page of rowsThatMayName<StoredEvent>(database, named, eventTable)) {
    const found = page.flatMap(({ payload, ...event }): NamingEvent[] => {
      const data = parsed(payload);
      const about =
        String(member(data, 'contactId') ?? '') === contactId ||
        (event.eventType === 'session.closed' && sessions.has(String(member(data, 'sessionId'))));
      const naming = about || mentions(data, contactId) || mentions(event.error, contactId);
      return naming ? [{ ...event, data, about }] : [];
    });
    if (found.length > 0) yield found;
  }
}

type Rewritten = Pick<NamingEvent, 'tenantIntegrationId' | 'id' | 'error'> & { payload: string };

const changeEvents = (assignments: string) => `
  update event_inbox e set ${assignments}
  from unnest(:integrationIds::text[], :ids::text[], :payloads::text[], :errors::text[])
    as g(integration_id, event_id, payload, error)
  where e.tenant_id = :tenantId and e.event_id = g.event_id and e.tenant_integration_id = g.integration_id`;

const forget =
  changeEvents(`payload = '', contact_id = null, waiting_for = null, processed_at = coalesce(e.processed_at, now()),
  error = case when e.status in ('stored', 'failed') then '${ERASED_REASON}' end,
  status = case when e.status in ('stored', 'failed') then 'dismissed' else e.status end`);

const rewrite = changeEvents('payload = g.payload, error = g.error');

const ATTEMPTS = 5;

/** A drain may hold some of the rows and wait for others: one of the two yields, and repeats. */
async function change(
  database: Database,
  sql: string,
  { tenantId }: Pick<Erasure, 'tenantId'>,
  events: Rewritten[],
): Promise<void> {
  if (events.length === 0) return;
  const bindings = {
    tenantId,
    integrationIds: events.map(({ tenantIntegrationId }) => tenantIntegrationId),
    ids: events.map(({ id }) => id),
    payloads: events.map(({ payload }) => payload),
    errors: events.map(({ error }) => error),
  };
  for (let attempt = 1; ; attempt += 1) {
    try {
      await rows(database, sql, bindings);
      return;
    } catch (error) {
      if (attempt === ATTEMPTS || !isBusy(error)) throw error;
    }
  }
}

const textOf = (data: unknown): string => (typeof data === 'string' ? data : JSON.stringify(data));

/**
 * Deletes the payloads of what is about the contact and occurred by `until`; those not handled yet never will be. In
 * those about others, the pseudonym takes the contact's place. At most 100 rows are locked at a time.
 */
export async function forgetEvents(database: Database, erasure: Erasure, until: Date): Promise<void> {
  const { contactId, pseudonym } = erasure;
  for await (const page of eventsNaming(database, erasure)) {
    const about = page.filter((event) => event.about && event.occurredAt <= until);
    await change(
      database,
      forget,
      erasure,
      about.map((event) => ({ ...event, payload: '' })),
    );
    const others = page.filter((event) => !event.about);
    await change(
      database,
      rewrite,
      erasure,
      others.map(({ tenantIntegrationId, id, data, error }) => ({
        tenantIntegrationId,
        id,
        payload: textOf(withoutMentions(data, contactId, pseudonym)),
        error: withoutMentions(error, contactId, pseudonym) as string | null,
      })),
    );
  }
}
