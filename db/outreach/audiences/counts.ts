import { createHash } from 'node:crypto';
import type { AudiencePreview } from '#domain/api/audiences.ts';
import { type Database, firstRow, type Transaction } from '#db/database.ts';
import type { AudienceOwner } from './owner.ts';
import { previewOf, reachCounts, type ReachCounts } from './reach-counts.ts';
import { candidateCount, overClassifiedContacts } from './resolution.ts';
import { countSegment } from './segments/counting.ts';
import { type AudienceSource, definitionOf } from './source.ts';
import { countTagBlocks } from './tag-blocks.ts';

/** From this many candidates on, an audience is counted by its preview alone: `:send` could not respond in time. */
const TOO_LARGE_TO_COUNT = 1_000_001;

/** Segments never are: they are counted by words, and how many contacts there are says nothing about how many they match. */
export const isTooLargeToCount = async (
  transaction: Transaction,
  owner: AudienceOwner,
  source: AudienceSource,
): Promise<boolean> =>
  source.kind !== 'segment' &&
  (await candidateCount(transaction, owner, source, TOO_LARGE_TO_COUNT)) >= TOO_LARGE_TO_COUNT;

/** A sample is drawn from those who are counted. */
const digestOf = (source: AudienceSource): string =>
  createHash('sha256')
    .update(JSON.stringify(definitionOf({ ...source, take: undefined })))
    .digest('hex');

/** Evaluates the audience at `now`, with the reasons for exclusions. */
export async function countAudience(
  transaction: Transaction,
  owner: AudienceOwner,
  source: AudienceSource,
  now: Date,
): Promise<AudiencePreview> {
  if (source.kind === 'segment') {
    const { counts, parts } = await countSegment(transaction, owner, source.segment, now);
    return { ...previewOf(counts), parts };
  }
  const ofBlocks = source.kind === 'tags' ? await countTagBlocks(transaction, owner, source, now) : null;
  if (ofBlocks) return previewOf(ofBlocks);
  const statement = (classified: string) => `select ${reachCounts} from (${classified}) classified`;
  const [counts] = await overClassifiedContacts<ReachCounts>(transaction, owner, { source, now }, statement);
  return previewOf(counts);
}

/** Keeps the counts of an audience that is too large to be counted by `:send`; does nothing for any other. */
export async function keepCount(
  transaction: Transaction,
  owner: AudienceOwner,
  source: AudienceSource,
  { preview, now }: { preview: AudiencePreview; now: Date },
): Promise<void> {
  if (!(await isTooLargeToCount(transaction, owner, source))) return;
  await transaction.raw(
    `insert into audience_count (tenant_id, service_number_id, definition, counts, counted_at)
     values (:tenantId, :serviceNumberId, :definition, cast(:counts as jsonb), :now)
     on conflict (tenant_id, service_number_id, definition)
       do update set counts = excluded.counts, counted_at = excluded.counted_at`,
    {
      tenantId: owner.tenantId,
      serviceNumberId: owner.serviceNumberId,
      definition: digestOf(source),
      counts: JSON.stringify(preview),
      now,
    },
  );
}

/** The counts of the last preview of an audience; null if none was kept. */
export async function keptCount(
  database: Database,
  { tenantId, serviceNumberId }: AudienceOwner,
  source: AudienceSource,
): Promise<AudiencePreview | null> {
  const row = await firstRow<{ counts: AudiencePreview }>(
    database,
    `select counts || jsonb_build_object('excluded', '{"controlGroup": 0}'::jsonb || (counts -> 'excluded')) as counts
     from audience_count
     where tenant_id = :tenantId and service_number_id = :serviceNumberId and definition = :definition`,
    { tenantId, serviceNumberId, definition: digestOf(source) },
  );
  return row?.counts ?? null;
}
