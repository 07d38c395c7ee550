import { z } from 'zod';
import { refinement } from './field-errors.ts';
import { instantOf } from './platform-time.ts';

const unstorable = refinement('unstorable', 'must not contain NUL or broken characters');

/**
 * Text that every layer can store: no NUL (PostgreSQL rejects it) and no lone surrogate (not representable in
 * UTF-8).
 */
export const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !value.includes('\u0000') && value.isWellFormed(), unstorable);

/** Non-blank text: at least one character that is not white space. */
export const label = (max: number) =>
  text(max).refine((value) => value.trim() !== '', refinement('blank', 'must not be blank'));

/** The limit of an id in the platform's calls. */
const MAXIMUM_ID_CHARACTERS = 256;

/** Room for such an id, whatever characters it contains: three of them fit in one index row. */
const MAXIMUM_ID_BYTES = 3 * MAXIMUM_ID_CHARACTERS;

const encoder = new TextEncoder();

export const idFits = (id: string): boolean =>
  id !== '' && (id.length * 3 <= MAXIMUM_ID_BYTES || encoder.encode(id).length <= MAXIMUM_ID_BYTES);

/** Ids from the platform (contacts, service numbers, tenants, tasks, events). */
export const platformId = text(512).min(1).refine(idFits, `must have at most ${MAXIMUM_ID_BYTES} bytes`);

/** Numbers in the list of one person or key. */
const MAXIMUM_LISTED_NUMBERS = 1000;

/** The service numbers that somebody sees. */
export const serviceNumberListSchema = z.array(platformId).max(MAXIMUM_LISTED_NUMBERS);

/** An id in a call from the platform. */
export const receivedId = text(MAXIMUM_ID_CHARACTERS).min(1);

/** Like `receivedId`, but may be empty. */
export const receivedName = text(MAXIMUM_ID_CHARACTERS);

/** An id in one of the platform's responses: it may use numbers there, which are the same id as their text. */
export const respondedId = z.preprocess((value) => (Number.isSafeInteger(value) ? String(value) : value), platformId);

/** Ids created by us. */
export const ownId = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[A-Za-z0-9_-]+$/);

/** PostgreSQL has no year 0, and years after 9999 have more digits than are parsed here. */
function hasStorableYear(instant: string): boolean {
  const year = new Date(instant).getUTCFullYear();
  return !(year < 1 || year > 9999);
}

/** PostgreSQL knows no zone beyond 15:59; those in use end at -12:00 and +14:00. */
const isStorableZone = (instant: string): boolean => !/[+-](1[6-9]|2\d):\d\d$/.test(instant);

/** ISO 8601 with zone, for example `2026-11-24T09:00:00+08:00`. */
export const timestamp = z.iso
  .datetime({ offset: true })
  .refine(isStorableZone, refinement('no_moment', 'must have a zone of less than 16 hours'))
  .refine(hasStorableYear, refinement('no_moment', 'must be in the years 1 to 9999, in UTC'));

function isZone(name: string): boolean {
  try {
    // Offsets are rejected: PostgreSQL reads their sign the other way round.
    return /^[A-Za-z]/.test(name) && Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

/** A time zone, as Asia/Taipei. */
export const zoneName = z.string().max(64).refine(isZone, 'must be a time zone of the IANA database');

/** A time of day by the clocks of a zone. */
export const wallTime = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
  .meta({ description: 'A time of day, as 21:00' });

/** A time from the platform: it is taken in every form of ISO 8601 that names one instant, and in UTC if that is not ours. */
export const platformTimestamp = z.preprocess(
  (given) => (typeof given === 'string' && !timestamp.safeParse(given).success ? instantOf(given) : given),
  timestamp,
);

export const httpUrl = z
  .url({ protocol: /^https?$/, hostname: /.+/ })
  .max(2048)
  .refine((value) => !value.includes('\u0000') && value.isWellFormed(), unstorable);

/** Nesting and size limits, so that a small body cannot be expensive to walk or store. */
export const MAXIMUM_DEPTH = 16;

function storable(value: unknown, depth = 0): boolean {
  if (depth > MAXIMUM_DEPTH) return false;
  if (typeof value === 'string') return !value.includes('\u0000') && value.isWellFormed();
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return value.every((item) => storable(item, depth + 1));
  if (value && typeof value === 'object') {
    return Object.entries(value).every(([key, item]) => storable(key, depth + 1) && storable(item, depth + 1));
  }
  return true;
}

/** A JSON object with any fields, storable and at most 16 levels deep. */
export const jsonObject = z
  .record(z.string(), z.unknown())
  .refine((value) => storable(value), refinement('too_deep', 'must be storable JSON of at most 16 levels'));

export const pageQuery = { limit: z.coerce.number().int().min(1).max(200).default(50), cursor: text(4096).optional() };

/** The same for an API without a default limit. */
export const pagePart = { limit: pageQuery.limit.unwrap().optional(), cursor: pageQuery.cursor };

/** One page of a list; `nextCursor` is null on the last page. */
export const page = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), nextCursor: z.string().nullable() });

export interface Page<Item> {
  items: Item[];
  nextCursor: string | null;
}
