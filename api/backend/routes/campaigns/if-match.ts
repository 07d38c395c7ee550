import { Problem } from '../../../../domain/api/problem.ts';

export function etagOf(version: number): string {
  return `"${version}"`;
}

/**
 * Reads `If-Match`: `*`, or a list of entity tags. Weak tags never match (RFC 9110, 13.1.1).
 * @returns a check of the stored version that throws `stale`.
 * @throws Problem `if_match_required` if the header is missing.
 */
export function ifMatch(header: string | undefined): (version: number) => void {
  if (header === undefined) throw new Problem('if_match_required', 'Send the ETag that you read in If-Match');
  const tags = new Set(header.split(',').map((tag) => tag.trim()));
  return (version) => {
    if (!tags.has('*') && !tags.has(etagOf(version)))
      throw new Problem('stale', `The campaign is now at version ${version}`);
  };
}
