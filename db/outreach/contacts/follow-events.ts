import { rows, type Transaction } from '#db/database.ts';

/** A contact followed, left, or changed whether it wants to receive messages. */
export interface FollowEvent {
  tenantId: string;
  serviceNumberId: string;
  contactId: string;
  eventId: string;
  eventType: string;
  occurredAt: Date;
}

/** Stores the events that a contact's timeline shows. Duplicates change nothing. */
export async function storeFollowEvents(transaction: Transaction, events: FollowEvent[]): Promise<void> {
  if (events.length === 0) return;
  const column = <Name extends keyof FollowEvent>(name: Name) => events.map((event) => event[name]);
  await rows(
    transaction,
    `insert into contact_event (tenant_id, service_number_id, contact_id, event_id, event_type, occurred_at)
     select * from unnest(:tenantIds::text[], :serviceNumberIds::text[], :contactIds::text[], :eventIds::text[],
       :eventTypes::text[], :times::timestamptz[])
     order by 1, 2, 3, 4 on conflict do nothing`,
    {
      tenantIds: column('tenantId'),
      serviceNumberIds: column('serviceNumberId'),
      contactIds: column('contactId'),
      eventIds: column('eventId'),
      eventTypes: column('eventType'),
      times: column('occurredAt').map((time) => time.toISOString()),
    },
  );
}
