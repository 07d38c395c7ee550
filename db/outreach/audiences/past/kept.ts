import { invalidField, Problem } from '../../../../domain/api/problem.ts';
import { keptSince, type Retention } from '../../../../domain/retention.ts';
import { type Database, firstRow } from '../../../database.ts';
import { AudienceRow } from '../../models/audiences.ts';
import type { AudienceSource } from '../source.ts';

const invalid = (detail: string, error: ReturnType<typeof invalidField>): Problem =>
  new Problem('invalid_content', detail, { errors: [error] });

/**
 * Checks that what was at `asOf` is still known.
 * @throws Problem `invalid_content` at `/asOf`: in the future, or from before the retention or the history of the tenant.
 */
export async function assertKept(
  database: Database,
  tenantId: string,
  asOf: Date,
  { now, retention }: { now: Date; retention: Retention },
): Promise<void> {
  if (asOf > now) throw invalid('What is going to be is not known', invalidField('/asOf', 'in_future'));
  const tenant = await firstRow<{ historySince: Date | null }>(
    database,
    'select history_since from tenant where tenant_id = :tenantId',
    { tenantId },
  );
  const begins = [keptSince(retention.timeline, now), tenant?.historySince ?? new Date(0)];
  const since = new Date(Math.max(...begins.map((date) => date.getTime())));
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
