import type { AudiencePreview } from '../../domain/api/audiences.ts';
import { type Database, rows } from '../database.ts';
import type { AudienceSource } from './audience-source.ts';

/** A statement's text and what is bound to it. */
export interface BoundSql {
  sql: string;
  bindings: Record<string, unknown>;
}

/** Why a contact is not reached; the first that holds. */
export type ContactClass = 'reachable' | 'expiredTags' | 'unsubscribed' | 'unreachable';

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

/**
 * A query of every contact that an audience hits, once: `contact_id`, `class` (a ContactClass). `now` decides about
 * expiry, so that a caller's clock counts and not the database's. Profiles are looked up one by one by their key:
 * right after an import the planner knows nothing of a tenant's size, and its joins then compare all with all.
 */
export function classifiedContacts(
  scope: { tenantId: string; serviceNumberId: string },
  source: AudienceSource,
  now: Date,
): BoundSql {
  const { sql, bindings } = candidates(source);
  return {
    sql: `select c.contact_id, case when not c.valid then 'expiredTags' when p.unsubscribed then 'unsubscribed'
        when p.follow_state = 'following' then 'reachable' else 'unreachable' end as class
      from (${sql}) c left join lateral (
        select unsubscribed, follow_state from contact_profile
        where tenant_id = :tenantId and service_number_id = :serviceNumberId and contact_id = c.contact_id limit 1
      ) p on true`,
    bindings: { ...bindings, tenantId: scope.tenantId, serviceNumberId: scope.serviceNumberId, now },
  };
}

/** Counts by class, added up as the preview shows them. */
export function previewOf(counts: readonly { class: ContactClass; contacts: number }[]): AudiencePreview {
  const of = (name: ContactClass) => counts.find((count) => count.class === name)?.contacts ?? 0;
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
export async function previewAudience(
  db: Database,
  scope: { tenantId: string; serviceNumberId: string },
  source: AudienceSource,
  now: Date,
): Promise<AudiencePreview> {
  const { sql, bindings } = classifiedContacts(scope, source, now);
  return previewOf(
    await rows<{ class: ContactClass; contacts: number }>(
      db,
      `select class, count(*) as contacts from (${sql}) classified group by class`,
      bindings,
    ),
  );
}
