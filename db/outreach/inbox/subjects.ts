import { z } from 'zod';
import type { InboxItem } from '#domain/api/inbox.ts';
import { receivedId } from '#domain/api/primitives.ts';
import { parseExact } from '#domain/json-text.ts';
import { type Database, rows } from '#db/database.ts';

const named = receivedId.nullish().catch(null);
/** What an event's data may name, whatever else it contains and however malformed it is. */
const namedThings = z.object({ contactId: named, serviceNumberId: named, taskId: named, sessionId: named });

const nothing = { contactId: null, serviceNumberId: null, taskId: null, sessionId: null };

/** Characters of its data that are read where many events are: what it names stands in small ones. */
export const READ_OF_MANY = 4096;

export function thingsNamed(payload: string | null): z.infer<typeof namedThings> {
  if (!payload) return nothing;
  try {
    return namedThings.parse(parseExact(payload));
  } catch {
    return nothing;
  }
}

/** The contact and the objects an event is about. */
export type Subject = Pick<InboxItem, 'serviceNumberId' | 'contactId' | 'campaignId' | 'campaignName'>;

/** An event whose data names its subject. */
export interface Described {
  payload: string | null;
  receivedAt: Date;
  serviceNumberId: string | null;
  /** What its handling found out. */
  contactId: string | null;
  campaignId: string | null;
}

/**
 * SQL: the newest send of a task that had been submitted when the event `e` came: a platform may use an id again; and the
 * conversation of a session.
 */
export const subjectJoins = (tenantId: string, named: string) => `
  left join lateral (select campaign_id from broadcast_task t
    where t.tenant_id = ${tenantId} and t.task_id = ${named}.task_id
    order by coalesce(t.submitted_at <= ${named}.received_at, true) desc, t.submitted_at desc limit 1) t on true
  left join lateral (select campaign_id, contact_id from conversation c
    where c.tenant_id = ${tenantId} and c.session_id = ${named}.session_id limit 1) c on true`;

const findCampaigns = `
  select k.name as campaign_name, k.campaign_id, c.contact_id
  from unnest(:campaignIds::text[], :taskIds::text[], :sessionIds::text[], :receivedAt::timestamptz[])
    with ordinality as e (campaign_id, task_id, session_id, received_at, place)
  ${subjectJoins(':tenantId', 'e')}
  left join campaign k on k.campaign_id = coalesce(e.campaign_id, t.campaign_id, c.campaign_id)
  order by e.place`;

/** The events with what each of them is about, in their order. */
export async function withSubjects<Event extends Described>(
  database: Database,
  tenantId: string,
  events: readonly Event[],
): Promise<{ event: Event; subject: Subject }[]> {
  const things = events.map(({ payload }) => thingsNamed(payload));
  const found = await rows<{ campaignId: string | null; campaignName: string | null; contactId: string | null }>(
    database,
    findCampaigns,
    {
      tenantId,
      campaignIds: events.map(({ campaignId }) => campaignId),
      taskIds: things.map(({ taskId }) => taskId ?? null),
      sessionIds: things.map(({ sessionId }) => sessionId ?? null),
      receivedAt: events.map(({ receivedAt }) => receivedAt),
    },
  );
  return events.map((event, place) => ({
    event,
    subject: {
      serviceNumberId: event.serviceNumberId ?? things[place]?.serviceNumberId ?? null,
      contactId: event.contactId ?? things[place]?.contactId ?? found[place]?.contactId ?? null,
      campaignId: found[place]?.campaignId ?? null,
      campaignName: found[place]?.campaignName ?? null,
    },
  }));
}
