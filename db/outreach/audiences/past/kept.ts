import { invalidField, Problem } from '#domain/api/problem.ts';
import { keptSince, type Retention } from '#domain/retention.ts';
import type { Database } from '#db/database.ts';
import { AudienceRow } from '#db/outreach/models/audiences.ts';
import type { AudienceSource } from '../source.ts';

const invalid = (detail: string, error: ReturnType<typeof invalidField>): Problem =>
  new Problem('invalid_content', detail, { errors: [error] });

/**
 * Checks that what was at `asOf` is still known.
 * @throws Problem `invalid_content` at `/asOf`: in the future, or from before the retention.
 */
export function assertKept(asOf: Date, { now, retention }: { now: Date; retention: Retention }): void {
  if (asOf > now) throw invalid('What is going to be is not known', invalidField('/asOf', 'in_future'));
  const since = keptSince(retention.timeline, now);
  if (asOf < since)
    throw invalid('What was then is not kept', invalidField('/asOf', 'not_kept', { since: since.toISOString() }));
}

/** @throws Problem `invalid_content` for a list that has changed since: earlier versions are not kept. */
export async function assertListUnchanged(database: Database, source: AudienceSource, asOf: Date): Promise<void> {
  if (source.kind !== 'list') return;
  const list = await AudienceRow.query(database).select('updatedAt').findById(source.audienceId);
  if (list && list.updatedAt > asOf)
    throw invalid('The list has changed since', invalidField('/audience/audienceId', 'changed_since'));
}
