import { createHash } from 'node:crypto';
import type { AudiencePreview } from '../../../domain/api/audiences.ts';
import { type Database, firstRow, type Transaction } from '../../database.ts';
import type { AudienceOwner } from './owner.ts';
import { previewOf, type ReachCounts, reachCounts } from './reach-counts.ts';
import { candidateCount, overClassifiedContacts } from './resolution.ts';
import { countSegment } from './segments/counting.ts';
import { type AudienceSource, definitionOf } from './source.ts';
import { countTagBlocks } from './tag-blocks.ts';

/** From this many candidates on, an audience is counted by its preview alone: `:send` could not respond in time. */
export const TOO_LARGE_TO_COUNT = 1_000_001;

const digestOf = (source: AudienceSource): string =>
  createHash('sha256')
    .update(JSON.stringify(definitionOf(source)))
    .digest('hex');

/** Evaluates the audience at `now`, with the reasons for exclusions, and the number of contacts read if known. */
async function count(
  transaction: Transaction,
  owner: AudienceOwner,
  source: AudienceSource,
  now: Date,
): Promise<{ preview: AudiencePreview; candidates: number | null }> {
  if (source.kind === 'segment') {
    const { counts, parts, known } = await countSegment(transaction, owner, source.segment, now);
    return { preview: { ...previewOf(counts), parts }, candidates: known };
  }
  const ofBlocks = source.kind === 'tags' ? await countTagBlocks(transaction, owner, source, now) : null;
  if (ofBlocks) return { preview: previewOf(ofBlocks), candidates: null };
  const statement = (classified: string) => `select ${reachCounts} from (${classified}) classified`;
  const [counts] = await overClassifiedContacts<ReachCounts>(transaction, owner, { source, now }, statement);
  return { preview: previewOf(counts), candidates: null };
}

/** Evaluates the audience at `now`, with the reasons for exclusions. */
export async function countAudience(
  transaction: Transaction,
  owner: AudienceOwner,
  source: AudienceSource,
  now: Date,
): Promise<AudiencePreview> {
  return (await count(transaction, owner, source, now)).preview;
}

/** Keeps the counts of an audience that is too large to be counted by `:send`; does nothing for any other. */
export async function keepCount(
  transaction: Transaction,
  owner: AudienceOwner,
  source: AudienceSource,
  { preview, now, candidates }: { preview: AudiencePreview; now: Date; candidates?: number | null },
): Promise<void> {
  const size = candidates ?? (await candidateCount(transaction, owner, source, TOO_LARGE_TO_COUNT));
  if (size < TOO_LARGE_TO_COUNT) return;
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
    `select counts from audience_count
     where tenant_id = :tenantId and service_number_id = :serviceNumberId and definition = :definition`,
    { tenantId, serviceNumberId, definition: digestOf(source) },
  );
  return row?.counts ?? null;
}

/** countAudience in a transaction of its own, as the preview that a later `:send` compares with. */
export function previewAudience(
  database: Database,
  owner: AudienceOwner,
  source: AudienceSource,
  now: Date,
): Promise<AudiencePreview> {
  return database.transaction(async (transaction) => {
    const { preview, candidates } = await count(transaction, owner, source, now);
    await keepCount(transaction, owner, source, { preview, now, candidates });
    return preview;
  });
}
