/** Shorter ids are common words or numbers: within a longer text they would be found where nobody is named. */
const FOUND_IN_TEXT = 6;

const isPartOfWord = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}]/u.test(character);

/** Where the id stands by itself in a longer text. */
function placesIn(text: string, id: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(id); at !== -1; at = text.indexOf(id, at + id.length))
    if (!isPartOfWord(text[at - 1]) && !isPartOfWord(text[at + id.length])) places.push(at);
  return places;
}

function replaced(text: string, id: string, by: string): string {
  if (text === id) return by;
  if (id.length < FOUND_IN_TEXT) return text;
  return placesIn(text, id).reduceRight((rest, at) => rest.slice(0, at) + by + rest.slice(at + id.length), text);
}

/** Stands for a contact in a text that is about something else. */
export const UNNAMED = '…';

/** The JSON value with its texts changed, keys included. A new value. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [change(key), mapTexts(item, change)]));
}

/**
 * The JSON value with another id in place of a contact's, wherever a text is that id or, from 6 characters on, contains
 * it by itself. A new value; numbers are never ids.
 */
export const withoutMentions = (value: unknown, id: string, by: string): unknown =>
  mapTexts(value, (text) => replaced(text, id, by));

/** Whether the JSON value names the contact, as `withoutMentions` finds it. */
export function mentions(value: unknown, id: string): boolean {
  if (typeof value === 'string') return value === id || (id.length >= FOUND_IN_TEXT && placesIn(value, id).length > 0);
  if (Array.isArray(value)) return value.some((item) => mentions(item, id));
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, item]) => mentions(key, id) || mentions(item, id));
}

const isOfOne = (item: unknown): boolean =>
  typeof item === 'string' || (typeof item === 'object' && item !== null && 'contactId' in item);

/**
 * The JSON value with lists that name the contact, of texts or of contacts, reduced to what names it: the rest is about
 * others.
 */
export function mentionsAlone(value: unknown, id: string): unknown {
  if (Array.isArray(value)) {
    const named = value.every(isOfOne) && mentions(value, id);
    return (named ? value.filter((item) => mentions(item, id)) : value).map((item) => mentionsAlone(item, id));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mentionsAlone(item, id)]));
}
