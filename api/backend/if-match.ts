import type { RevisionCheck } from '#commands/outreach/revision-check.ts';
import { etagOf } from '#domain/api/if-match.ts';
import { Problem } from '#domain/api/problem.ts';
import { assertMatched } from '../http/if-match.ts';

/** The check of the stored revision that the header asks for; it throws `stale`. */
export const ifMatch =
  (header: string | undefined): RevisionCheck =>
  (revision) =>
    assertMatched(header, revision === null ? null : etagOf(revision));

/** @throws Problem `if_match_required` if the header is missing. */
export function ifMatchRequired(header: string | undefined): RevisionCheck {
  if (header === undefined) throw new Problem('if_match_required', 'Send the ETag that you read in If-Match');
  return ifMatch(header);
}
