import { z } from 'zod';

/** The header `If-Match`: `*`, or a list of entity tags. */
export const ifMatch = z.object({
  'if-match': z
    .string()
    .max(1000)
    .regex(/^(\*|(W\/)?"[\x21\x23-\x7e]*"(\s*,\s*(W\/)?"[\x21\x23-\x7e]*")*)$/)
    .optional(),
});

/** What the caller has read of an object, as in the header `ETag`: every change by an operation gives it another one. */
export const etag = z.string();

/** No two objects ever share a revision. */
export const etagOf = (revision: number): string => `"${revision}"`;
