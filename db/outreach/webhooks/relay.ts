import type { Database } from '#db/database.ts';
import { claimDeliveries as claim, type ClaimedDelivery, type ClaimLimits } from '#db/webhooks/claims.ts';

/** SQL for the text of the event `e`, as it is signed and sent. */
const bodyOfEvent = `json_build_object('type', e.type,
  'timestamp', to_char(e.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  'data', case when e.batch_key is null then e.data else e.data || jsonb_build_object(
    case e.type when 'contact.clicked' then 'clicks' else 'contacts' end,
    (select jsonb_agg(item order by p.part, place) from outgoing_event_part p
       cross join jsonb_array_elements(p.items) with ordinality as of_part (item, place)
     where p.event_id = e.event_id)) end)::text`;

/** Of each stream only the oldest event that has not ended may go. A redelivery holds back nothing, and waits for nothing. */
const ofStreams = {
  mayGo: `(d.settled_at is not null or not exists (select 1 from delivery b
    where b.tenant_id = d.tenant_id and b.stream = d.stream and b.settled_at is null and b.position < d.position))`,
  secrets: `array_remove(array[w.sealed_secret,
    case when w.previous_until > now() then w.previous_sealed_secret end], null)`,
  bodies: `select e.event_id, ${bodyOfEvent} as body from outgoing_event e where e.event_id = any(:eventIds::uuid[])`,
};

export const claimDeliveries = (database: Database, limits: ClaimLimits): Promise<ClaimedDelivery[]> =>
  claim(database, ofStreams, limits);
