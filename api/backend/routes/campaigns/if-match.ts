import { Problem } from '#domain/api/problem.ts';
import type { VersionCheck } from '#commands/outreach/campaigns/delete-campaign.ts';

export function etagOf(version: number): string {
  return `"${version}"`;
}

/** A proxy that compresses a response makes its tag a weak one. */
const asStrong = (tag: string): string => tag.trim().replace(/^W\//, '');

/**
 * Reads `If-Match`: `*`, or a list of entity tags, of which a weak one counts as the strong one.
 * @returns a check of the stored version that throws `stale`; without the header, of none.
 */
export function ifMatch(header: string | undefined): VersionCheck {
  if (header === undefined) return () => undefined;
  const tags = new Set(header.split(',').map(asStrong));
  return (version) => {
    if (!tags.has('*') && !tags.has(etagOf(version)))
      throw new Problem('stale', `The campaign is now at version ${version}`);
  };
}

/** @throws Problem `if_match_required` if the header is missing. */
export function ifMatchRequired(header: string | undefined): VersionCheck {
  if (header === undefined) throw new Problem('if_match_required', 'Send the ETag that you read in If-Match');
  return ifMatch(header);
}
