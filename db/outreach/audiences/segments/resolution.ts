import { type Segment, type SegmentCondition, segmentParts } from '../../../../domain/api/segments.ts';
import { firstRow, type Transaction } from '../../../database.ts';
import { withoutWays } from '../../plan-ways.ts';
import { type ReachCounts, reachCountsWhere, reachOfProfile } from '../reach-counts.ts';
import type { AudienceOwner } from '../owner.ts';
import { setOf } from './sets.ts';

/** Contacts after the first id up to and including the second; null: up to the last. */
export interface IdRange {
  after: string;
  through: string | null;
}

interface CompiledSegment {
  /** SQL: the profiles `p` of the service number, with the sets of the segment's conditions joined to them. */
  profiles: string;
  /** SQL: whether a part holds for `p`; never null. The first is the whole. */
  parts: { path: string; holds: string }[];
  bindings: Record<string, unknown>;
}

type Compile = (condition: SegmentCondition) => string;

function holds(part: Segment, condition: Compile): string {
  if ('all' in part) return `(${part.all.map((one) => holds(one, condition)).join(' and ')})`;
  if ('any' in part) return `(${part.any.map((one) => holds(one, condition)).join(' or ')})`;
  return 'not' in part ? `(not ${holds(part.not, condition)})` : condition(part);
}

/**
 * Every condition is a set of contacts that is read once and joined to the profiles, so that what each part holds for is a
 * boolean of columns: groups may nest, and every part can be counted in the same pass.
 */
function compile(
  segment: Segment,
  { tenantId, serviceNumberId }: AudienceOwner,
  { now, range }: { now: Date; range?: IdRange | undefined },
): CompiledSegment {
  const joins: string[] = [];
  const compiled = new Map<string, string>();
  let bindings: Record<string, unknown> = { tenantId, serviceNumberId, now, ...range };
  const within = (column: string) =>
    range ? `and ${column} > :after ${range.through === null ? '' : `and ${column} <= :through`}` : '';
  function condition(given: SegmentCondition): string {
    const key = JSON.stringify(given);
    const known = compiled.get(key);
    if (known !== undefined) return known;
    const set = setOf(given, { name: `s${compiled.size}`, now, within });
    if (set.join) joins.push(set.join);
    bindings = { ...bindings, ...set.bindings };
    compiled.set(key, set.holds);
    return set.holds;
  }
  const parts = segmentParts(segment).map(({ path, part }) => ({ path, holds: holds(part, condition) }));
  const profiles = `contact_profile p ${joins.join(' ')}
    where p.tenant_id = :tenantId and p.service_number_id = :serviceNumberId ${within('p.contact_id')}`;
  return { profiles, parts, bindings };
}

/** SQL: every contact that a segment matches, once: `contact_id`, `class` (a ContactReach). */
export function classifiedBySegment(
  segment: Segment,
  owner: AudienceOwner,
  given: { now: Date; range?: IdRange | undefined },
): { sql: string; bindings: Record<string, unknown> } {
  const { profiles, parts, bindings } = compile(segment, owner, given);
  return { sql: `select p.contact_id, ${reachOfProfile} as class from ${profiles} and ${parts[0]?.holds}`, bindings };
}

/**
 * The planner knows nothing of the sizes of a send's or a segment's sets: compared row by row, a million contacts would
 * take hours.
 */
export const readingSets = <T>(transaction: Transaction, run: () => Promise<T>): Promise<T> =>
  withoutWays(transaction, ['nestloop'], run);

/** Counts the contacts of a segment by class, those of each of its parts, and all that are known, in one pass. */
export async function countSegment(
  transaction: Transaction,
  owner: AudienceOwner,
  segment: Segment,
  now: Date,
): Promise<{ counts: ReachCounts; parts: { path: string; hitCount: number }[]; known: number }> {
  const { profiles, parts, bindings } = compile(segment, owner, { now });
  const columns = parts.map(({ holds: sql }, at) => `${sql} as part${at}`).join(', ');
  const hits = parts.map((_, at) => `count(*) filter (where part${at})`).join(', ');
  const row = await readingSets(transaction, () =>
    firstRow<ReachCounts & { hits: number[]; known: number }>(
      transaction,
      `select ${reachCountsWhere('part0')}, to_json(array[${hits}]) as hits, count(*) as known
       from (select ${reachOfProfile} as class, ${columns} from ${profiles}) found`,
      bindings,
    ),
  );
  if (!row) throw new Error('An aggregate returned no row');
  const { hits: found, known, ...counts } = row;
  return { counts, parts: parts.map(({ path }, at) => ({ path, hitCount: found[at] ?? 0 })), known };
}

/** The last of the next `limit` contacts of the service number after `after`; null if it has no more than those. */
export async function endOfPage(
  transaction: Transaction,
  { tenantId, serviceNumberId }: AudienceOwner,
  { after, limit }: { after: string; limit: number },
): Promise<string | null> {
  const row = await firstRow<{ contactId: string }>(
    transaction,
    `select contact_id from contact_profile where tenant_id = :tenantId and service_number_id = :serviceNumberId
       and contact_id > :after order by contact_id offset :limit::int - 1 limit 1`,
    { tenantId, serviceNumberId, after, limit },
  );
  return row?.contactId ?? null;
}
