import type { Contact, ServiceNumber } from '#domain/api/contacts.ts';
import { statedAt } from '#domain/contacts/profile.ts';
import type { ContactProfileRow } from '#db/outreach/models/contacts.ts';
import type { ServiceNumberRow } from '#db/outreach/models/tenants.ts';

export function presentContact(row: ContactProfileRow): Contact {
  return {
    contactId: row.contactId,
    serviceNumberId: row.serviceNumberId,
    displayName: row.displayName,
    channel: row.channel,
    language: row.language,
    region: row.region,
    attributes: row.attributes,
    followState: row.followState,
    followStateSince: statedAt(row.fieldTimes, 'followState'),
    unsubscribed: row.unsubscribed,
    unsubscribedSince: row.unsubscribed ? statedAt(row.fieldTimes, 'unsubscribed') : null,
    reachable: row.followState === 'following' && !row.unsubscribed,
    enteredAt: row.enteredAt?.toISOString() ?? null,
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function presentServiceNumber({ serviceNumberId, name, status }: ServiceNumberRow): ServiceNumber {
  return { serviceNumberId, name, status };
}
