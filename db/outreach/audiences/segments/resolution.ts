import type { Segment } from '../../../../domain/api/segments.ts';
import { firstRow, type Transaction } from '../../../database.ts';
import { withoutWays } from '../../plan-ways.ts';
import { reachOfProfile } from '../reach-counts.ts';
import type { AudienceOwner } from '../owner.ts';
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
function joined({ test, blocks, listed }: ContactSet, name: string): { joins: string[]; isIn: string } {
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
  return { joins, isIn: `(${isIn.join(' or ')})` };
}

/**
 * SQL: every contact that a segment matches, once: `contact_id`, `class` (a ContactReach). Each condition is a set of contacts
 * that is read once and joined to the profiles, so that what the segment holds for is a boolean of columns, however its groups
 * nest.
 */
export function classifiedBySegment(
  segment: Segment,
  { tenantId, serviceNumberId }: AudienceOwner,
  { now, range }: { now: Date; range?: IdRange | undefined },
): { sql: string; bindings: Record<string, unknown> } {
  const within = (column: string) =>
    range ? `and ${column} > :after ${range.through === null ? '' : `and ${column} <= :through`}` : '';
  const { sets, nameOf, bindings } = setsOf(segment, { now, within });
  const found = new Map([...sets].map(([name, set]) => [name, joined(set, name)]));
  const matches = composed(segment, operators, (condition) => found.get(nameOf(condition))?.isIn ?? 'false');
  return {
    sql: `select p.contact_id, ${reachOfProfile} as class
      from contact_profile p ${[...found.values()].flatMap(({ joins }) => joins).join(' ')}
      where p.tenant_id = :tenantId and p.service_number_id = :serviceNumberId ${within('p.contact_id')} and ${matches}`,
    bindings: { tenantId, serviceNumberId, now, ...range, ...bindings },
  };
}

/**
 * The planner knows nothing of the sizes of a send's or a segment's sets: compared row by row, a million contacts would
 * take hours.
 */
export const readingSets = <T>(transaction: Transaction, run: () => Promise<T>): Promise<T> =>
  withoutWays(transaction, ['nestloop'], run);

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
