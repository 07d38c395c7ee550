import type { AudiencePreview, ContactReach } from '#domain/api/audiences.ts';

/** Contacts by class. */
export type ReachCounts = Record<ContactReach, number>;

/** SQL: how the profile `p` is reached; unreachable without one. */
export const reachOfProfile = `case when p.unsubscribed then 'unsubscribed' when p.follow_state = 'following' then 'reachable'
  else 'unreachable' end`;

const reaches = ['reachable', 'expiredTags', 'unsubscribed', 'unreachable'] satisfies ContactReach[];

/** SQL: the number of contacts in each class for which a condition holds. */
export const reachCountsWhere = (condition: string): string =>
  reaches.map((reach) => `count(*) filter (where class = '${reach}' and ${condition}) as "${reach}"`).join(', ');

/** SQL: the number of contacts in each class. */
export const reachCounts = reachCountsWhere('true');

/** Counts by class, added up as the preview shows them. */
export function previewOf(counts: ReachCounts | undefined): AudiencePreview {
  if (!counts) throw new Error('An aggregate returned no row');
  const { reachable: reachableCount, expiredTags, unsubscribed, unreachable } = counts;
  const hitCount = reachableCount + expiredTags + unsubscribed + unreachable;
  return { hitCount, reachableCount, excluded: { expiredTags, unsubscribed, unreachable } };
}
