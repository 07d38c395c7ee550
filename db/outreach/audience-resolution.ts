import type { AudiencePreview, ContactReach } from '../../domain/api/audiences.ts';
import { type Database, firstRow, rows, type Transaction } from '../database.ts';
import type { AudienceSource } from './audience-source.ts';

/** A statement's text and what is bound to it. */
interface BoundSql {
  sql: string;
  bindings: Record<string, unknown>;
}

/**
 * Candidates of a tag filter: `contact_id`, and whether the tags that have not expired still match. An expired tag
 * matches here as if it were valid, so that the preview can tell whom it would have reached; as an excluded tag it
 * excludes nobody. One pass over the assignments: a join against the excluded ones can turn quadratic.
 */
function tagCandidates(source: Extract<AudienceSource, { kind: 'tags' }>): BoundSql {
  const wanted = [...new Set(source.appTagIds)];
  const all = source.tagOperator === 'AND';
  return {
    sql: `select a.contact_id, count(*) filter (where w.wanted and not w.expired) >= :needed::int as valid
      from tag_assignment a
      join (select tag_id, tag_id = any(:wanted) as wanted, tag_id = any(:excluded) as excluded,
              status = 'expired' or coalesce(expires_at <= :now, false) as expired
            from tag where tenant_id = :tenantId and tag_id = any(:used)) w using (tag_id)
      where a.tag_id = any(:used) group by a.contact_id
      having count(*) filter (where w.wanted) >= :needed::int
        and count(*) filter (where w.excluded and not w.expired) = 0`,
    bindings: {
      wanted,
      excluded: source.excludeTagIds,
      used: [...new Set([...wanted, ...source.excludeTagIds])],
      needed: all ? wanted.length : 1,
    },
  };
}

function candidates(source: AudienceSource): BoundSql {
  if (source.kind === 'tags') return tagCandidates(source);
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

/** From this many candidates on, reading all profiles once costs less than looking up each. */
const LARGE_AUDIENCE = 20_000;

async function isLarge(transaction: Transaction, source: AudienceSource): Promise<boolean> {
  if (source.kind === 'ids') return source.contactIds.length >= LARGE_AUDIENCE;
  const row = await firstRow<{ size: number }>(
    transaction,
    source.kind === 'tags'
      ? 'select coalesce(sum(contact_count), 0) as size from tag where tag_id = any(:appTagIds)'
      : 'select coalesce(sum(member_count), 0) as size from audience where audience_id = :audienceId',
    { ...source },
  );
  return (row?.size ?? 0) >= LARGE_AUDIENCE;
}

/** Runs a statement over a whole audience: each set is hashed or sorted once, whatever the planner thinks of their sizes. */
export async function withoutNestedLoops<T>(transaction: Transaction, run: () => Promise<T>): Promise<T> {
  await transaction.raw('set local enable_nestloop = off');
  const result = await run();
  await transaction.raw('set local enable_nestloop = on');
  return result;
}

// Looked up one by one by their key, or hashed: right after an import the planner knows nothing of a tenant's size, and
// what it would choose by itself can compare all with all.
const profileLookup = `left join lateral (
    select unsubscribed, follow_state from contact_profile
    where tenant_id = :tenantId and service_number_id = :serviceNumberId and contact_id = c.contact_id limit 1
  ) p on true`;

const profileJoin = `left join contact_profile p on p.tenant_id = :tenantId
    and p.service_number_id = :serviceNumberId and p.contact_id = c.contact_id`;

interface ClassifiedRead {
  source: AudienceSource;
  now: Date;
  /** The statement reads only the first of them: each is looked up. */
  few?: boolean;
  /** What the statement itself binds. */
  more?: Record<string, unknown>;
}

/**
 * Runs `statement` over a query of every contact that an audience hits, once: `contact_id`, `class` (a ContactReach).
 * `now` decides about expiry, so that a caller's clock counts and not the database's.
 * @param statement gives the SQL around the query.
 */
export async function overClassifiedContacts<Row>(
  transaction: Transaction,
  scope: { tenantId: string; serviceNumberId: string },
  { source, now, few = false, more = {} }: ClassifiedRead,
  statement: (classified: string) => string,
): Promise<Row[]> {
  const { sql, bindings } = candidates(source);
  const large = !few && (await isLarge(transaction, source));
  const classified = `select c.contact_id, case when not c.valid then 'expiredTags' when p.unsubscribed then 'unsubscribed'
      when p.follow_state = 'following' then 'reachable' else 'unreachable' end as class
    from (${sql}) c ${large ? profileJoin : profileLookup}`;
  const { tenantId, serviceNumberId } = scope;
  const run = () =>
    rows<Row>(transaction, statement(classified), { ...bindings, ...more, tenantId, serviceNumberId, now });
  return large ? await withoutNestedLoops(transaction, run) : await run();
}

/** Counts by class, added up as the preview shows them. */
export function previewOf(counts: readonly { class: ContactReach; contacts: number }[]): AudiencePreview {
  const of = (name: ContactReach) => counts.find((count) => count.class === name)?.contacts ?? 0;
  const excluded = {
    expiredTags: of('expiredTags'),
    unsubscribed: of('unsubscribed'),
    unreachable: of('unreachable'),
  };
  const reachableCount = of('reachable');
  const hitCount = reachableCount + excluded.expiredTags + excluded.unsubscribed + excluded.unreachable;
  return { hitCount, reachableCount, excluded };
}

/** Whom the audience reaches at `now`, and why the others are not reached. */
export function previewAudience(
  db: Database,
  scope: { tenantId: string; serviceNumberId: string },
  source: AudienceSource,
  now: Date,
): Promise<AudiencePreview> {
  return db.transaction(async (transaction) =>
    previewOf(
      await overClassifiedContacts<{ class: ContactReach; contacts: number }>(
        transaction,
        scope,
        { source, now },
        (classified) => `select class, count(*) as contacts from (${classified}) classified group by class`,
      ),
    ),
  );
}
