import { type Segment, segmentParts } from '#domain/api/segments.ts';
import { firstRow, type Transaction } from '#db/database.ts';
import { withPlannerMethodsDisabled } from '#db/outreach/planner-methods.ts';
import { reachOfProfile } from '../reach-counts.ts';
import type { ControlGroup } from '#db/outreach/tenants/control-group.ts';
import type { AudienceOwner } from '../owner.ts';
import { type AudienceRelations, presentRelations } from '../relations.ts';
import { BITS_OF_A_BLOCK } from '../tag-blocks.ts';
import { composed, type ContactSet, setsOf } from './sets.ts';

/** Contacts after the first id up to and including the second; null: up to the last. */
export interface IdRange {
  after: string;
  through: string | null;
}

/** Of booleans. */
const operators = { all: 'and', any: 'or', not: (sql: string) => `not ${sql}` };

/** SQL: joins a set to the profiles `p`, and says whether one is in it, which is never null. */
function joined({ test, blocks, listed, negated }: ContactSet, name: string): { joins: string[]; isIn: string } {
  const list = `${name}_listed`;
  const isIn = [
    ...(test ? [test] : []),
    ...(blocks ? [`coalesce(get_bit(${name}.contacts, p.ordinal % ${BITS_OF_A_BLOCK}) = 1, false)`] : []),
    ...(listed ? [`${list}.contact_id is not null`] : []),
  ];
  const joins = [
    ...(blocks ? [`left join (${blocks}) ${name} on ${name}.block = p.ordinal / ${BITS_OF_A_BLOCK}`] : []),
    ...(listed
      ? [`left join (select distinct contact_id from (${listed}) list) ${list} on ${list}.contact_id = p.contact_id`]
      : []),
  ];
  return { joins, isIn: `${negated ? 'not ' : ''}(${isIn.join(' or ')})` };
}

interface ClassifiedRange {
  now: Date;
  range?: IdRange | undefined;
  /** Of these contacts alone. */
  only?: string[] | undefined;
  relations?: AudienceRelations | undefined;
  /** Of the tenant; without it nobody is in one. */
  control?: ControlGroup | null;
}

/**
 * SQL: every contact that a segment matches, once: `contact_id`, `class` (a ContactReach). Each condition is a set of contacts
 * that is read once and joined to the profiles, so that what the segment holds for is a boolean of columns, however its groups
 * nest.
 */
export function classifiedBySegment(
  segment: Segment,
  owner: AudienceOwner,
  { now, range, only, relations = presentRelations, control = null }: ClassifiedRange,
): BoundSql {
  const within = (column: string) =>
    only
      ? `and ${column} = any(:only)`
      : range
        ? `and ${column} > :after ${range.through === null ? '' : `and ${column} <= :through`}`
        : '';
  const { from, matches, bindings } = composedOver(segment, owner, { now, relations, within });
  return {
    sql: `select p.contact_id, ${reachOfProfile('p.contact_id', control)} as class
      from ${from} and ${matches(segment)}`,
    bindings: { ...range, ...(only && { only }), ...control, ...bindings },
  };
}

interface BoundSql {
  sql: string;
  bindings: Record<string, unknown>;
}

/** SQL: the profiles `p` joined to the sets of a segment, up to a condition, and whether a part of it matches one. */
function composedOver(
  segment: Segment,
  { tenantId, serviceNumberId }: AudienceOwner,
  { now, relations, within }: { now: Date; relations: AudienceRelations; within: (column: string) => string },
) {
  const { sets, nameOf, bindings } = setsOf(segment, { now, relations, within });
  const found = new Map([...sets].map(([name, set]) => [name, joined(set, name)]));
  return {
    from: `${relations.profile('p')} ${[...found.values()].flatMap(({ joins }) => joins).join(' ')}
      where p.tenant_id = :tenantId and p.service_number_id = :serviceNumberId ${within('p.contact_id')}`,
    matches: (part: Segment) => composed(part, operators, (condition) => found.get(nameOf(condition))?.isIn ?? 'false'),
    bindings: { tenantId, serviceNumberId, now, ...bindings },
  };
}

/**
 * SQL: every contact of the service number, or the one given: `contact_id`, `class`, and a boolean for each part of the
 * segment, `part0` for the whole, in the order of `segmentParts`.
 */
export function partsBySegment(
  segment: Segment,
  owner: AudienceOwner,
  { now, relations, contactId }: { now: Date; relations: AudienceRelations; contactId?: string },
): BoundSql {
  const within = (column: string) => (contactId === undefined ? '' : `and ${column} = :contactId`);
  const { from, matches, bindings } = composedOver(segment, owner, { now, relations, within });
  const parts = segmentParts(segment).map(({ part }, at) => `${matches(part)} as part${at}`);
  return {
    sql: `select p.contact_id, ${reachOfProfile('p.contact_id', null)} as class, ${parts.join(', ')} from ${from}`,
    bindings: { ...bindings, contactId },
  };
}

/**
 * The planner knows nothing of the sizes of a send's or a segment's sets: compared row by row, a million contacts would
 * take hours.
 */
export const readingSets = <T>(transaction: Transaction, run: () => Promise<T>): Promise<T> =>
  withPlannerMethodsDisabled(transaction, ['nestloop'], run);

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
