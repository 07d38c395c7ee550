import type { Journal } from '#sandbox/journal.ts';
import type { Contact } from './contact.ts';
import { describeGenerated } from './generated.ts';

/** A range of generated contacts `<prefix>000001` …, stored as four values instead of as objects. */
export interface ContactRange {
  rangeId: string;
  serviceNumberId: string;
  prefix: string;
  from: number;
  count: number;
}

type Entry =
  | { kind: 'range'; range: ContactRange }
  | { kind: 'contact'; serviceNumberId: string; contact: Contact }
  | { kind: 'label'; serviceNumberId: string; tagId: string; name: string; deleted: boolean };

interface Directory {
  ranges: ContactRange[];
  /** Contacts created individually, and generated ones that have since changed. */
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

const inAnyRange = ({ ranges }: Directory, contactId: string): boolean =>
  ranges.some((range) => inRange(range, contactId));

function find(directory: Directory | undefined, contactId: string): Contact | undefined {
  const known = directory?.known.get(contactId);
  if (known || !directory) return known;
  return inAnyRange(directory, contactId) ? describeGenerated(contactId) : undefined;
}

function* singlesOf(directory: Directory | undefined): Generator<Contact> {
  if (!directory) return;
  for (const contact of directory.known.values()) if (!inAnyRange(directory, contact.contactId)) yield contact;
}

/** The contacts from `offset` on, in order of creation. */
function* iterate(directory: Directory | undefined, offset = 0): Generator<Contact> {
  let skip = offset;
  for (const range of directory?.ranges ?? []) {
    for (let index = Math.min(skip, range.count); index < range.count; index += 1) {
      const contactId = generatedId(range.prefix, range.from + index);
      yield directory?.known.get(contactId) ?? describeGenerated(contactId);
    }
    skip = Math.max(0, skip - range.count);
  }
  for (const contact of singlesOf(directory)) {
    if (skip > 0) skip -= 1;
    else yield contact;
  }
}

function put(directory: Directory, contact: Contact): void {
  const { contactId } = contact;
  if (!directory.known.has(contactId) && !inAnyRange(directory, contactId)) directory.single += 1;
  directory.known.set(contactId, contact);
}

function* dump(directories: Map<string, Directory>): Generator<Entry> {
  for (const [serviceNumberId, { ranges, known, labels }] of directories) {
    for (const range of ranges) yield { kind: 'range', range };
    for (const contact of known.values()) yield { kind: 'contact', serviceNumberId, contact };
    for (const [tagId, label] of labels) yield { kind: 'label', serviceNumberId, tagId, ...label };
  }
}

/** Contacts by service number. A million generated ones cost one line; only those that have changed use memory. */
export function createContacts(journal: Journal) {
  const directories = new Map<string, Directory>();
  const get = (serviceNumberId: string) => directories.get(serviceNumberId);

  function make(serviceNumberId: string): Directory {
    const found = get(serviceNumberId) ?? { ranges: [], known: new Map(), single: 0, labels: new Map() };
    directories.set(serviceNumberId, found);
    return found;
  }

  return {
    record: journal.register<Entry>('contacts', {
      apply(entry) {
        if (entry.kind === 'range') make(entry.range.serviceNumberId).ranges.push(entry.range);
        else if (entry.kind === 'contact') put(make(entry.serviceNumberId), entry.contact);
        else make(entry.serviceNumberId).labels.set(entry.tagId, { name: entry.name, deleted: entry.deleted });
      },
      dump: () => dump(directories),
    }),
    has(serviceNumberId: string, contactId: string): boolean {
      const directory = get(serviceNumberId);
      return directory !== undefined && (directory.known.has(contactId) || inAnyRange(directory, contactId));
    },
    find: (serviceNumberId: string, contactId: string) => find(get(serviceNumberId), contactId),
    iterate: (serviceNumberId: string, offset?: number) => iterate(get(serviceNumberId), offset),
    /** Those created individually. */
    singles: (serviceNumberId: string) => singlesOf(get(serviceNumberId)),
    ranges: (serviceNumberId: string) => get(serviceNumberId)?.ranges ?? [],
    count(serviceNumberId: string): number {
      const { single = 0, ranges = [] } = get(serviceNumberId) ?? {};
      return single + ranges.reduce((sum, range) => sum + range.count, 0);
    },
    /** The first free number for generated ids with this prefix. */
    nextNumber(serviceNumberId: string, prefix: string): number {
      const ranges = get(serviceNumberId)?.ranges.filter((range) => range.prefix === prefix) ?? [];
      return Math.max(1, ...ranges.map((range) => range.from + range.count));
    },
    isUnsubscribed: (serviceNumberId: string, contactId: string) =>
      get(serviceNumberId)?.known.get(contactId)?.unsubscribed ?? false,
    isFollowing: (serviceNumberId: string, contactId: string) =>
      get(serviceNumberId)?.known.get(contactId)?.following ?? true,
    labels: (serviceNumberId: string) => make(serviceNumberId).labels,
  };
}

export type Contacts = ReturnType<typeof createContacts>;
