import { storeFollowEvents } from '#db/outreach/contacts/follow-events.ts';
import { type ContactKey, lockProfiles, type StoredProfile, storeProfiles } from '#db/outreach/contacts/profiles.ts';
import type { Transaction } from '#db/database.ts';
import { contactEventSchema } from '#domain/api/events.ts';
import { applyContactEvent, type ContactChange, type ContactEventType } from '#domain/contacts/profile.ts';
import { processed, withData } from './handler.ts';

const identity = ({ tenantId, serviceNumberId, contactId }: ContactKey) =>
  JSON.stringify([tenantId, serviceNumberId, contactId]);

interface ProfileChange {
  key: ContactKey;
  change: ContactChange;
}

/** Stores profiles after these changes. @returns the changes of contacts that another transaction has stored first. */
async function applyAll(transaction: Transaction, changes: ProfileChange[], now: Date): Promise<ProfileChange[]> {
  const keys = new Map(changes.map(({ key }) => [identity(key), key]));
  const sorted = [...keys.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, key]) => key);
  const known = await lockProfiles(transaction, sorted);
  const profiles = new Map<string, StoredProfile>(known.map((profile) => [identity(profile), profile]));
  for (const { key, change } of changes) {
    const before = profiles.get(identity(key)) ?? null;
    profiles.set(identity(key), { ...applyContactEvent(before, change), ...key, ordinal: before?.ordinal ?? null });
  }
  const stored = new Set((await storeProfiles(transaction, [...profiles.values()], now)).map(identity));
  return changes.filter(({ key }) => !stored.has(identity(key)));
}

/** contact_entered_to_profile: turns contact events into the profile, in whatever order they arrive. */
export const updateProfiles = withData(contactEventSchema, async (transaction, events, { now }) => {
  let left = events.map(({ event, data }): ProfileChange => ({
    key: { tenantId: event.tenantId, serviceNumberId: data.serviceNumberId, contactId: data.contactId },
    change: {
      eventId: event.eventId,
      eventType: event.eventType as ContactEventType,
      occurredAt: event.occurredAt,
      microseconds: event.microseconds,
      data,
    },
  }));
  while (left.length > 0) left = await applyAll(transaction, left, now);
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
