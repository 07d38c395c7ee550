import { storeFollowEvents } from '#db/outreach/contacts/follow-events.ts';
import { lockProfiles, type StoredProfile, storeProfiles } from '#db/outreach/contacts/profiles.ts';
import { contactEventSchema } from '#domain/api/events.ts';
import { applyContactEvent, type ContactEventType } from '#domain/contacts/profile.ts';
import { processed, withData } from './handler.ts';

const identity = ({
  tenantId,
  serviceNumberId,
  contactId,
}: {
  tenantId: string;
  serviceNumberId: string;
  contactId: string;
}) => JSON.stringify([tenantId, serviceNumberId, contactId]);

/** contact_entered_to_profile: turns contact events into the profile, in whatever order they arrive. */
export const updateProfiles = withData(contactEventSchema, async (transaction, events, { now }) => {
  const keys = new Map(
    events.map(({ event, data }) => {
      const key = { tenantId: event.tenantId, serviceNumberId: data.serviceNumberId, contactId: data.contactId };
      return [identity(key), key];
    }),
  );
  const sorted = [...keys.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const known = await lockProfiles(
    transaction,
    sorted.map(([, key]) => key),
  );
  const profiles = new Map<string, StoredProfile>(known.map((profile) => [identity(profile), profile]));
  for (const { event, data } of events) {
    const key = { tenantId: event.tenantId, serviceNumberId: data.serviceNumberId, contactId: data.contactId };
    const change = {
      eventId: event.eventId,
      eventType: event.eventType as ContactEventType,
      occurredAt: event.occurredAt,
      microseconds: event.microseconds,
      data,
    };
    profiles.set(identity(key), { ...applyContactEvent(profiles.get(identity(key)) ?? null, change), ...key });
  }
  await storeProfiles(transaction, [...profiles.values()], now);
  await storeFollowEvents(
    transaction,
    events
      .filter(({ event }) => event.eventType !== 'contact.updated')
      .map(({ event, data }) => ({
        tenantId: event.tenantId,
        serviceNumberId: data.serviceNumberId,
        contactId: data.contactId,
        eventId: event.eventId,
        eventType: event.eventType,
        occurredAt: event.occurredAt,
      })),
  );
  return events.map(() => processed);
});
