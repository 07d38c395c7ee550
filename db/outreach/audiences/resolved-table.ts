import type { AudiencePreview } from '#domain/api/audiences.ts';
import { firstRow, type Transaction } from '#db/database.ts';
import type { AudienceOwner } from './owner.ts';
import { previewOf, reachCounts, type ReachCounts } from './reach-counts.ts';
import { isDensePage, overClassifiedContacts } from './resolution.ts';
import { endOfPage } from './segments/resolution.ts';
import type { AudienceSource } from './source.ts';

/**
 * Creates the table `resolved`, which is dropped with the transaction: no id of an audience ever enters this process.
 */
export async function createResolvedTable(transaction: Transaction): Promise<void> {
  await transaction.raw(
    'create temporary table resolved (contact_id text not null, class text not null, arm smallint) on commit drop',
  );
}

export interface ResolvedAudience {
  source: AudienceSource;
  preview: AudiencePreview;
}

/** The contacts of an audience between two ids. */
export interface ResolvedPage {
  preview: AudiencePreview;
  /** The last of them; null if it is the last page. */
  through: string | null;
}

interface PageRead {
  source: AudienceSource;
  now: Date;
  /** Before all ids, of which none is empty, for the first page. */
  after: string;
  limit: number;
}

/** Puts the whole audience as of `now`, classified, into the table `resolved`. */
export async function resolveAll(
  transaction: Transaction,
  owner: AudienceOwner,
  { source, now }: { source: AudienceSource; now: Date },
): Promise<void> {
  await createResolvedTable(transaction);
  await overClassifiedContacts(
    transaction,
    owner,
    { source, now },
    (classified) => `insert into resolved ${classified}`,
  );
}

const countResolved = (transaction: Transaction) =>
  firstRow<ReachCounts & { last: string | null }>(
    transaction,
    `select ${reachCounts}, max(contact_id) as last from resolved`,
    {},
  );

/** A page of a segment is made of the next `limit` contacts of the service number, whichever of them it matches. */
async function resolveRange(
  transaction: Transaction,
  owner: AudienceOwner,
  { source, now, after, limit }: PageRead,
): Promise<ResolvedPage> {
  const through = await endOfPage(transaction, owner, { after, limit });
  const range = { after, through };
  const insert = (classified: string) => `insert into resolved ${classified}`;
  await overClassifiedContacts(transaction, owner, { source, now, range }, insert);
  return { preview: previewOf((await countResolved(transaction)) ?? undefined), through };
}

/** Puts the next `limit` contacts of an audience in order of id, after `after`, into the table `resolved`. */
export async function resolvePage(
  transaction: Transaction,
  owner: AudienceOwner,
  { source, now, after: given, limit }: { source: AudienceSource; now: Date; after: string | null; limit: number },
): Promise<ResolvedPage> {
  const after = given ?? '';
  await createResolvedTable(transaction);
  if (source.kind === 'segment') return await resolveRange(transaction, owner, { source, now, after, limit });
  const isDense = await isDensePage(transaction, owner, { source, now, after, limit });
  await overClassifiedContacts(
    transaction,
    owner,
    { source, now, page: { isDense }, more: { after, limit } },
    (classified) => `insert into resolved select contact_id, class from (${classified}) classified
      where contact_id > :after order by contact_id limit :limit`,
  );
  const page = await countResolved(transaction);
  const preview = previewOf(page ?? undefined);
  return { preview, through: preview.hitCount < limit ? null : (page?.last ?? null) };
}
