import { firstRow, rows, type Transaction } from '#db/database.ts';
import { type PlannerMethod, withPlannerMethodsDisabled } from '../planner-methods.ts';
import { classifiedBySegment, type IdRange, readingSets } from './segments/resolution.ts';
import { controlGroupOf } from '../tenants/control-group.ts';
import type { AudienceOwner } from './owner.ts';
import { reachOfProfile } from './reach-counts.ts';
import { type AudienceRelations, presentRelations } from './relations.ts';
import type { AudienceSource } from './source.ts';
import { isValidTag } from './valid-tag.ts';

/** The text of a statement and its bindings. */
interface BoundSql {
  sql: string;
  bindings: Record<string, unknown>;
}

/**
 * Candidates of a tag filter: `contact_id`, and whether the tags that have not expired still match. An expired tag
 * matches here as if it were valid, so that the preview can report whom it would have reached; as an excluded tag it
 * excludes nobody. Each tag's contacts are stored in id order, so they are merged and never sorted: a page reads only
 * as far as it needs.
 */
function tagCandidates(source: Extract<AudienceSource, { kind: 'tags' }>, relations: AudienceRelations): BoundSql {
  const isValid = (tag: string) => isValidTag(tag, relations);
  const wanted = [...new Set(source.appTagIds)];
  const excluded = [...new Set(source.excludeTagIds)];
  const parts = [
    ...wanted.map(
      (_, index) => `select contact_id, 1 as hit, ${isValid(`wanted${index}`)}::int as valid, 0 as barred
      from ${relations.assignment()} where tag_id = :wanted${index} and ${isValid(`wanted${index}`)} is not null order by contact_id`,
    ),
    ...excluded.map(
      (_, index) => `select contact_id, 0 as hit, 0 as valid, 1 as barred
      from ${relations.assignment()} where tag_id = :excluded${index} and ${isValid(`excluded${index}`)} order by contact_id`,
    ),
  ];
  const named = (name: string, ids: string[]) => Object.fromEntries(ids.map((id, index) => [`${name}${index}`, id]));
  return {
    sql: `select contact_id, sum(valid) >= :needed::int as valid from (${parts.map((part) => `(${part})`).join(' union all ')}) a group by contact_id
      having sum(hit) >= :needed::int and sum(barred) = 0`,
    bindings: {
      ...named('wanted', wanted),
      ...named('excluded', excluded),
      needed: source.tagOperator === 'AND' ? wanted.length : 1,
    },
  };
}

function candidates(source: Exclude<AudienceSource, { kind: 'segment' }>, relations: AudienceRelations): BoundSql {
  if (source.kind === 'tags') return tagCandidates(source, relations);
  if (source.kind === 'list')
    return {
      sql: 'select contact_id, true as valid from audience_member where audience_id = :audienceId',
      bindings: { audienceId: source.audienceId },
    };
  return {
    sql: 'select distinct id as contact_id, true as valid from unnest(:contactIds::text[]) as given (id)',
    bindings: { contactIds: source.contactIds },
  };
}

/** From this many candidates on, reading all profiles once is cheaper than looking up each one. */
const LARGE_AUDIENCE = 20_000;

const sizes = {
  tags: 'select coalesce(sum(contact_count), 0) as size from tag where tag_id = any(:appTagIds)',
  list: 'select coalesce(sum(member_count), 0) as size from audience where audience_id = :audienceId',
  segment: `select count(*) as size from (select from contact_profile
    where tenant_id = :tenantId and service_number_id = :serviceNumberId limit :most::int) known`,
};

/**
 * How many contacts are read to resolve an audience: at least as many as it has. Each tag counts in full, and for a
 * segment each contact of the service number, of which no more than `most` are counted.
 */
export async function candidateCount(
  transaction: Transaction,
  { tenantId, serviceNumberId }: AudienceOwner,
  source: AudienceSource,
  most: number,
): Promise<number> {
  if (source.kind === 'ids') return source.contactIds.length;
  const row = await firstRow<{ size: number }>(transaction, sizes[source.kind], {
    ...source,
    tenantId,
    serviceNumberId,
    most,
  });
  return row?.size ?? 0;
}

/** Makes sets that are in contact id order be merged. */
const merging: PlannerMethod[] = ['hashjoin', 'hashagg', 'nestloop'];

/** Same, limited to one page, with profile lookups. */
const following: PlannerMethod[] = ['hashjoin', 'hashagg', 'sort'];

// Looked up one by one by key, or merged: right after an import the planner knows nothing about a tenant's size, and
// the plan it would choose by itself can compare everything with everything.
const profileLookup = ({ profile }: AudienceRelations) => `left join lateral (
    select unsubscribed, follow_state from ${profile()}
    where tenant_id = :tenantId and service_number_id = :serviceNumberId and contact_id = c.contact_id limit 1
  ) p on true`;

const profileJoin = ({ profile }: AudienceRelations) => `left join ${profile('p')} on p.tenant_id = :tenantId
    and p.service_number_id = :serviceNumberId and p.contact_id = c.contact_id`;

interface ClassifiedRead {
  source: AudienceSource;
  now: Date;
  /** The statement reads only the first rows after the id `:after`, which it binds itself. */
  page?: { isDense: boolean } | undefined;
  /** Of a segment: only these contacts. */
  range?: IdRange | undefined;
  /** State as of `now` instead of the current one. */
  relations?: AudienceRelations | undefined;
  /** The statement's own bindings. */
  more?: Record<string, unknown>;
}

/**
 * Runs `statement` over a query that returns every contact an audience matches, once: `contact_id`, `class` (a
 * ContactReach). `now` decides about expiry, so that the caller's clock counts and not the database's.
 * @param statement returns the SQL around the query.
 */
export async function overClassifiedContacts<Row>(
  transaction: Transaction,
  scope: AudienceOwner,
  { source, now, page, range, relations = presentRelations, more = {} }: ClassifiedRead,
  statement: (classified: string) => string,
): Promise<Row[]> {
  // Who was in the group at an earlier time is not kept.
  const control = relations.isPast ? null : await controlGroupOf(transaction, scope.tenantId);
  if (source.kind === 'segment') {
    const { sql, bindings } = classifiedBySegment(source.segment, scope, { now, range, relations, control });
    return await readingSets(transaction, () => rows<Row>(transaction, statement(sql), { ...bindings, ...more }));
  }
  const { sql, bindings } = candidates(source, relations);
  const large = !page && (await candidateCount(transaction, scope, source, LARGE_AUDIENCE)) >= LARGE_AUDIENCE;
  const pageJoin = page?.isDense ? `${profileJoin(relations)} and p.contact_id > :after` : profileLookup(relations);
  const classified = `select c.contact_id, case when not c.valid then 'expiredTags' else ${reachOfProfile('c.contact_id', control)} end as class
    from (${sql}) c ${large ? profileJoin(relations) : pageJoin}`;
  const { tenantId, serviceNumberId } = scope;
  const run = () =>
    rows<Row>(transaction, statement(classified), { ...bindings, ...control, ...more, tenantId, serviceNumberId, now });
  if (large || page?.isDense)
    return await withPlannerMethodsDisabled(transaction, page ? [...merging, 'sort'] : merging, run);
  return page ? await withPlannerMethodsDisabled(transaction, following, run) : await run();
}

/** So many profiles are read one after another in the time that it takes to look up one. */
const PROFILES_PER_LOOKUP = 4;

/**
 * Whether the next `limit` contacts of an audience after the id `after` are so many of those in between that their
 * profiles are better read with the others than looked up. Reads as many entries of indexes, and `PROFILES_PER_LOOKUP`
 * times as many.
 */
export async function isDensePage(
  transaction: Transaction,
  { tenantId, serviceNumberId }: AudienceOwner,
  { source, now, after, limit }: { source: AudienceSource; now: Date; after: string; limit: number },
): Promise<boolean> {
  // Ids that were given are in no order, and a segment is read by ranges of profiles.
  if (source.kind === 'ids' || source.kind === 'segment') return false;
  const { sql, bindings } = candidates(source, presentRelations);
  const most = PROFILES_PER_LOOKUP * limit;
  const statement = `select count(*) <= :most::int as dense from (
      select from contact_profile where tenant_id = :tenantId and service_number_id = :serviceNumberId
        and contact_id > :after and contact_id <= (select max(contact_id) from (
          select contact_id from (${sql}) c where contact_id > :after order by contact_id limit :limit) page)
      order by contact_id limit :most::int + 1) profiles`;
  const given = { ...bindings, tenantId, serviceNumberId, now, after, limit, most };
  const run = () => firstRow<{ dense: boolean }>(transaction, statement, given);
  return (await withPlannerMethodsDisabled(transaction, following, run))?.dense === true;
}
