import type { AudiencePreview } from '#domain/api/audiences.ts';
import { type Segment, segmentParts } from '#domain/api/segments.ts';
import { type Database, firstRow, type Transaction } from '#db/database.ts';
import type { AudienceOwner } from '../owner.ts';
import { previewOf, type ReachCounts, reachCounts, reachCountsWhere } from '../reach-counts.ts';
import { pastRelations } from '../relations.ts';
import { overClassifiedContacts } from '../resolution.ts';
import { partsBySegment, readingSets } from '../segments/resolution.ts';
import type { AudienceSource } from '../source.ts';

async function countParts(
  transaction: Transaction,
  owner: AudienceOwner,
  segment: Segment,
  asOf: Date,
): Promise<AudiencePreview> {
  const { sql, bindings } = partsBySegment(segment, owner, { now: asOf, relations: pastRelations });
  const paths = segmentParts(segment).map(({ path }) => path);
  const statement = `select ${reachCountsWhere('part0')},
      to_json(array[${paths.map((_, at) => `(count(*) filter (where part${at}))::int`).join(', ')}]) as hits
    from (${sql}) profiles`;
  const counts = await readingSets(transaction, () =>
    firstRow<ReachCounts & { hits: number[] }>(transaction, statement, bindings),
  );
  const parts = paths.map((path, at) => ({ path, hitCount: counts?.hits[at] ?? 0 }));
  return { ...previewOf(counts ?? undefined), parts };
}

/**
 * Whom the audience would have reached at `asOf`, by what was known then. Contact by contact: no sets of bits are kept of the
 * past.
 */
export function countPastAudience(
  database: Database,
  owner: AudienceOwner,
  source: AudienceSource,
  asOf: Date,
): Promise<AudiencePreview> {
  return database.transaction(async (transaction) => {
    if (source.kind === 'segment') return await countParts(transaction, owner, source.segment, asOf);
    const [counts] = await overClassifiedContacts<ReachCounts>(
      transaction,
      owner,
      { source, now: asOf, relations: pastRelations },
      (classified) => `select ${reachCounts} from (${classified}) classified`,
    );
    return previewOf(counts);
  });
}
