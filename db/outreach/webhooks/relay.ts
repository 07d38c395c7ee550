import { type Database, rows } from '#db/database.ts';
import { claimDeliveries as claim, type ClaimedDelivery, type ClaimLimits } from '#db/webhooks/claims.ts';

/** SQL for the text of the event `e`, as it is signed, sent and listed. */
export const bodyOfEvent = `json_build_object('type', e.type,
  'timestamp', to_char(e.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  'data', case when e.batch_key is null then e.data else e.data || jsonb_build_object(
    case when e.type = 'contact.clicked' then 'clicks' when e.type like 'conversation.%' then 'conversations' else 'contacts' end,
    (select jsonb_agg(item order by p.part, place) from outgoing_event_part p
       cross join jsonb_array_elements(p.items) with ordinality as of_part (item, place)
     where p.event_id = e.event_id)) end)::text`;

/** Of each stream only the oldest event that has not ended at an endpoint may go there. A redelivery holds back nothing, and waits for nothing. */
const ofStreams = {
  goesTo: (delivery: string) => `${delivery}.endpoint_id = w.endpoint_id`,
  active: 'w.paused_for is null',
  mayGo: `(d.settled_at is not null or not exists (select 1 from delivery b
    where b.endpoint_id = d.endpoint_id and b.stream = d.stream and b.settled_at is null and b.position < d.position))`,
  secrets: `array_remove(array[w.sealed_secret,
    case when w.previous_until > now() then w.previous_sealed_secret end], null)`,
  bodies: `select e.event_id, ${bodyOfEvent} as body from outgoing_event e where e.event_id = any(:eventIds::uuid[])`,
};

/** SQL condition on a delivery `d`: its endpoint is paused. */
export const waitsForEndpoint = `exists (
  select from webhook w where w.endpoint_id = d.endpoint_id and w.paused_for is not null)`;

export const claimDeliveries = (database: Database, limits: ClaimLimits): Promise<ClaimedDelivery[]> =>
  claim(database, ofStreams, limits);

/** A day of failed attempts pauses an endpoint, if there were at least three. */
const noteFailure = `
  update webhook w set failures = failures + 1, failing_since = coalesce(failing_since, now()),
    paused_for = case when failures >= 2 and failing_since <= now() - interval '24 hours' then 'failing' else paused_for end
  from delivery d where d.delivery_id = :deliveryId and w.endpoint_id = d.endpoint_id`;

const noteSuccess = `
  update webhook w set failures = 0, failing_since = null
  from delivery d where d.delivery_id = :deliveryId and w.endpoint_id = d.endpoint_id and w.failing_since is not null`;

/** Notes with its endpoint how an attempt went. */
export async function noteAttempt(
  database: Database,
  { deliveryId }: Pick<ClaimedDelivery, 'deliveryId'>,
  accepted: boolean,
): Promise<void> {
  await rows(database, accepted ? noteSuccess : noteFailure, { deliveryId });
}
