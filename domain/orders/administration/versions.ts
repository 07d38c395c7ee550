import { z } from 'zod';
import { ifMatch } from '#domain/api/if-match.ts';

/** `If-Match` and `If-None-Match: *`; a tag that is none of ours matches nothing. */
export const preconditions = ifMatch.extend({ 'if-none-match': z.string().optional() });

/** What staff have read of a tenant, goods or a coupon: each of their writes gives it another one. */
export const versionFields = {
  version: z.string(),
  /** The version as in the header `ETag`. */
  etag: z.string(),
};
export type Versioned = z.infer<z.ZodObject<typeof versionFields>>;

const textOf = (version: number): string => `o${version}`;

/** No two tenants, goods or coupons ever share a version. */
export const etagOf = (version: number): string => `"${textOf(version)}"`;

export const versioned = ({ version }: { version: number }): Versioned => ({
  version: textOf(version),
  etag: etagOf(version),
});
