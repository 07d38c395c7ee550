import { z } from 'zod';
import { MAXIMUM_DEPTH } from './primitives.ts';

const REPLACEMENT = '\uFFFD';

/** As much of it as fits, without half of a character. */
function cut(value: string, max: number): string {
  if (value.length <= max) return value;
  const half = value.slice(0, max);
  return half.isWellFormed() ? half : half.slice(0, -1);
}

/** What can be stored of a text: NUL and halves of characters become U+FFFD. */
const storableText = (value: string): string => value.replaceAll('\u0000', REPLACEMENT).toWellFormed();

const asText = (value: unknown): string | null => {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
};

/**
 * Text of an event that describes and decides nothing. It never refuses the event: what cannot be stored becomes U+FFFD, what is
 * too long is cut, and what is no text counts as missing.
 */
export const describedText = (max: number) =>
  z
    .unknown()
    .transform((value) => {
      const given = asText(value);
      return given === null ? null : cut(storableText(given), max);
    })
    .optional();

function storableValue(value: unknown, level: number): unknown {
  if (typeof value === 'string') return storableText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (level > MAXIMUM_DEPTH) return undefined;
  if (Array.isArray(value)) return value.map((item) => storableValue(item, level + 1) ?? null);
  return storableObject(value, level);
}

function storableObject(value: object, level: number): Record<string, unknown> {
  const entries = Object.entries(value).flatMap(([key, item]) => {
    const kept = storableValue(item, level + 1);
    return kept === undefined ? [] : [[storableText(key), kept] as const];
  });
  return Object.fromEntries(entries);
}

/** The same for an object: what is deeper than 16 levels is left out, and what is no object counts as missing. */
export const describedObject = z
  .unknown()
  .transform((value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? storableObject(value, 0) : null,
  )
  .optional();
