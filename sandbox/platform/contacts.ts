import type { Journal, Slice } from '../journal.ts';
import { describeGenerated } from './generated-contacts.ts';

/** A contact of a service number, complete as its webhooks show it. */
export interface Contact {
  contactId: string;
  displayName?: string;
  channel?: string;
  language?: string;
  region?: string;
  attributes?: Record<string, unknown>;
  following: boolean;
  unsubscribed: boolean;
  labels: string[];
}

/** A run of made-up contacts `<prefix>000001` …, kept as four numbers instead of as objects. */
export interface ContactRange {
  rangeId: string;
  serviceNumberId: string;
  prefix: string;
  from: number;
  count: number;
}

export type ContactEntry =
  | { kind: 'range'; range: ContactRange }
  | { kind: 'contact'; serviceNumberId: string; contact: Contact }
  | { kind: 'label'; serviceNumberId: string; tagId: string; name: string; deleted: boolean };

interface Directory {
  ranges: ContactRange[];
  /** Contacts given one by one, and generated ones that have changed since. */
  known: Map<string, Contact>;
  /** How many of `known` belong to no range. */
  single: number;
  labels: Map<string, { name: string; deleted: boolean }>;
}

const DIGITS = 6;

export const generatedId = (prefix: string, number: number): string => prefix + String(number).padStart(DIGITS, '0');

function inRange(range: ContactRange, contactId: string): boolean {
  if (!contactId.startsWith(range.prefix)) return false;
  const digits = contactId.slice(range.prefix.length);
  if (!/^\d{6,9}$/.test(digits)) return false;
  const number = Number(digits);
  return number >= range.from && number < range.from + range.count && generatedId(range.prefix, number) === contactId;
}

/** Contacts by service number. A million generated ones cost a line; only those that changed cost memory. */
export function createContacts(journal: Journal) {
  const directories = new Map<string, Directory>();

  function directory(serviceNumberId: string): Directory {
    let found = directories.get(serviceNumberId);
    if (!found)
      directories.set(serviceNumberId, (found = { ranges: [], known: new Map(), single: 0, labels: new Map() }));
    return found;
  }

  const slice: Slice<ContactEntry> = {
    apply(entry) {
      if (entry.kind === 'range') directory(entry.range.serviceNumberId).ranges.push(entry.range);
      else if (entry.kind === 'label') {
        directory(entry.serviceNumberId).labels.set(entry.tagId, { name: entry.name, deleted: entry.deleted });
      } else {
        const { known, ranges } = directory(entry.serviceNumberId);
        const { contactId } = entry.contact;
        if (!known.has(contactId) && !ranges.some((range) => inRange(range, contactId))) {
          directory(entry.serviceNumberId).single += 1;
        }
        known.set(contactId, entry.contact);
      }
    },
    *dump() {
      for (const [serviceNumberId, { ranges, known, labels }] of directories) {
        for (const range of ranges) yield { kind: 'range', range };
        for (const contact of known.values()) yield { kind: 'contact', serviceNumberId, contact };
        for (const [tagId, label] of labels) yield { kind: 'label', serviceNumberId, tagId, ...label };
      }
    },
  };

  function has(serviceNumberId: string, contactId: string): boolean {
    const found = directories.get(serviceNumberId);
    return found ? found.known.has(contactId) || found.ranges.some((range) => inRange(range, contactId)) : false;
  }

  function find(serviceNumberId: string, contactId: string): Contact | undefined {
    const found = directories.get(serviceNumberId);
    const known = found?.known.get(contactId);
    if (known) return known;
    return found?.ranges.some((range) => inRange(range, contactId)) ? describeGenerated(contactId) : undefined;
  }

  /** The contacts from `offset` on, in the order in which they were made. */
  function* iterate(serviceNumberId: string, offset = 0): Generator<Contact> {
    const found = directories.get(serviceNumberId);
    if (!found) return;
    let skip = offset;
    for (const range of found.ranges) {
      for (let index = Math.min(skip, range.count); index < range.count; index += 1) {
        const contactId = generatedId(range.prefix, range.from + index);
        yield found.known.get(contactId) ?? describeGenerated(contactId);
      }
      skip = Math.max(0, skip - range.count);
    }
    for (const contact of singles(serviceNumberId)) {
      if (skip > 0) skip -= 1;
      else yield contact;
    }
  }

  function* singles(serviceNumberId: string): Generator<Contact> {
    const found = directories.get(serviceNumberId);
    for (const contact of found?.known.values() ?? []) {
      if (!found?.ranges.some((range) => inRange(range, contact.contactId))) yield contact;
    }
  }

  return {
    record: journal.register('contacts', slice),
    has,
    find,
    iterate,
    /** Those that were given one by one. */
    singles,
    ranges: (serviceNumberId: string) => directories.get(serviceNumberId)?.ranges ?? [],
    count(serviceNumberId: string): number {
      const found = directories.get(serviceNumberId);
      return found ? found.single + found.ranges.reduce((sum, range) => sum + range.count, 0) : 0;
    },
    /** The first free number for generated ids of this prefix. */
    nextNumber(serviceNumberId: string, prefix: string): number {
      const ranges = directories.get(serviceNumberId)?.ranges.filter((range) => range.prefix === prefix) ?? [];
      return Math.max(1, ...ranges.map((range) => range.from + range.count));
    },
    isUnsubscribed: (serviceNumberId: string, contactId: string) =>
      directories.get(serviceNumberId)?.known.get(contactId)?.unsubscribed ?? false,
    isFollowing: (serviceNumberId: string, contactId: string) =>
      directories.get(serviceNumberId)?.known.get(contactId)?.following ?? true,
    labels: (serviceNumberId: string) => directory(serviceNumberId).labels,
  };
}

export type Contacts = ReturnType<typeof createContacts>;
