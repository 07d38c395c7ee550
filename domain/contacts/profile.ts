import type { ContactEvent, contactEventTypes } from '../api/events.ts';

export type ContactEventType = (typeof contactEventTypes)[number];

/** What is known about one contact of one service number. */
export interface ContactProfile {
  displayName: string | null;
  channel: string | null;
  language: string | null;
  region: string | null;
  attributes: Record<string, unknown>;
  followState: 'following' | 'unfollowed';
  unsubscribed: boolean;
  enteredAt: Date | null;
  lastEventAt: Date;
  /** For each field reported by events: the stamp of the newest one. Inferred values have none. */
  fieldTimes: Record<string, string>;
}

export interface ContactChange {
  eventId: string;
  eventType: ContactEventType;
  occurredAt: Date;
  /** Of that, what a Date does not hold. */
  microseconds: number;
  data: ContactEvent;
}

/** Any event of an unknown contact implies that it follows, until an event says otherwise. */
function unknownContact(occurredAt: Date): ContactProfile {
  return {
    displayName: null,
    channel: null,
    language: null,
    region: null,
    attributes: {},
    followState: 'following',
    unsubscribed: false,
    enteredAt: null,
    lastEventAt: occurredAt,
    fieldTimes: {},
  };
}

/** What an event reports, by field; fields it leaves out do not change. */
function statements({ eventType, data }: ContactChange): Partial<ContactProfile> {
  const { displayName, channel, language, region, attributes } = data;
  const reported: Partial<ContactProfile> = {};
  if (displayName != null) reported.displayName = displayName;
  if (channel != null) reported.channel = channel;
  if (language != null) reported.language = language;
  if (region != null) reported.region = region;
  if (attributes != null) reported.attributes = attributes;
  if (eventType === 'contact.entered' || eventType === 'contact.followed') reported.followState = 'following';
  if (eventType === 'contact.unfollowed') reported.followState = 'unfollowed';
  if (eventType === 'contact.unsubscribed') reported.unsubscribed = true;
  if (eventType === 'contact.resubscribed') reported.unsubscribed = false;
  return reported;
}

/** Of two events of one moment that contradict each other, these win: nobody is sent to who may have left. */
const leaving: ReadonlySet<ContactEventType> = new Set(['contact.unfollowed', 'contact.unsubscribed']);

/**
 * Fixed width, so that text order is time order, to the microsecond. Between events of one time leaving wins, then the id
 * decides, so that their order of arrival never does.
 */
function stampOf({ occurredAt, microseconds, eventType, eventId }: ContactChange): string {
  const time = `${occurredAt.toISOString().slice(0, -1)}${String(microseconds).padStart(3, '0')}Z`;
  return `${time} ${leaving.has(eventType) ? 1 : 0} ${eventId}`;
}

/** When the newest event reported a profile's values, ISO 8601; null if no event did. */
export function statedAt(fieldTimes: Record<string, string>, field: keyof ContactProfile): string | null {
  const [time] = fieldTimes[field]?.split(' ', 1) ?? [];
  return time === undefined ? null : new Date(time).toISOString();
}

const earlier = (a: Date | null, b: Date) => (a !== null && a <= b ? a : b);

/** Whoever was there before this service entered by following. */
const enters = ({ eventType }: ContactChange) => eventType === 'contact.entered' || eventType === 'contact.followed';

/**
 * The profile after one more event. For each field the latest occurredAt wins, so that events give the same
 * profile in any order and with any duplicates.
 */
export function applyContactEvent(profile: ContactProfile | null, change: ContactChange): ContactProfile {
  const before = profile ?? unknownContact(change.occurredAt);
  const stamp = stampOf(change);
  const newest = Object.entries(statements(change)).filter(([field]) => stamp > (before.fieldTimes[field] ?? ''));
  return {
    ...before,
    ...Object.fromEntries(newest),
    fieldTimes: { ...before.fieldTimes, ...Object.fromEntries(newest.map(([field]) => [field, stamp])) },
    enteredAt: enters(change) ? earlier(before.enteredAt, change.occurredAt) : before.enteredAt,
    lastEventAt: before.lastEventAt > change.occurredAt ? before.lastEventAt : change.occurredAt,
  };
}
