import type { AudienceExplanation, ContactReach } from '#domain/api/audiences.ts';
import { type Segment, segmentParts } from '#domain/api/segments.ts';
import { type Database, firstRow, type Transaction } from '#db/database.ts';
import { pastRelations } from '../relations.ts';
import { overClassifiedContacts } from '../resolution.ts';
import { partsBySegment } from '../segments/resolution.ts';
import type { AudienceSource } from '../source.ts';
import { type Asked, factsOf } from './facts.ts';

/** A filter of tags as the segment that it is for known contacts; null for lists, which have no conditions. */
function segmentOf(source: AudienceSource): Segment | null {
  if (source.kind === 'segment') return source.segment;
  if (source.kind !== 'tags') return null;
  const tags = (ids: string[]): Segment[] => [...new Set(ids)].map((tag) => ({ tag }));
  const wanted: Segment =
    source.tagOperator === 'AND' ? { all: tags(source.appTagIds) } : { any: tags(source.appTagIds) };
  return source.excludeTagIds.length === 0 ? wanted : { all: [wanted, { not: { any: tags(source.excludeTagIds) } }] };
}

async function partsOf(transaction: Transaction, segment: Segment, { asOf, ...asked }: Asked) {
  const { contactId } = asked;
  const { sql, bindings } = partsBySegment(segment, asked, { now: asOf, relations: pastRelations, contactId });
  const row = await firstRow<Record<string, unknown>>(transaction, sql, bindings);
  const parts: AudienceExplanation['parts'] = [];
  for (const [at, { path, part }] of segmentParts(segment).entries()) {
    const isGroup = 'all' in part || 'any' in part || 'not' in part;
    const facts = isGroup ? [] : await factsOf(transaction, part, { ...asked, asOf });
    parts.push({ path, holds: row?.[`part${at}`] === true, facts });
  }
  return { parts, known: row !== null };
}

const isKnown = `select 1 from ${pastRelations.profile('p')}
  where p.tenant_id = :tenantId and p.service_number_id = :serviceNumberId and p.contact_id = :contactId`;

/**
 * Whether one contact was in an audience at `asOf` and whether it would have been reached, by the statement that freezes
 * audiences, and which conditions held for it, with what they rest on.
 */
export function explainAudience(
  database: Database,
  asked: Asked,
  source: AudienceSource,
): Promise<Omit<AudienceExplanation, 'asOf'>> {
  const { asOf, contactId, ...owner } = asked;
  return database.transaction(async (transaction) => {
    const [found] = await overClassifiedContacts<{ class: ContactReach }>(
      transaction,
      owner,
      { source, now: asOf, relations: pastRelations, more: { contactId } },
      (classified) => `select class from (${classified}) classified where contact_id = :contactId`,
    );
    const segment = segmentOf(source);
    const { parts, known } = segment
      ? await partsOf(transaction, segment, asked)
      : { parts: [], known: (await firstRow(transaction, isKnown, { ...owner, contactId, now: asOf })) !== null };
    // A tag that has expired is in the filter, as its preview counts whom it would have reached.
    const matches = found !== undefined && found.class !== 'expiredTags';
    return { contactId, known, matches, reach: found?.class ?? null, segment, parts };
  });
}
