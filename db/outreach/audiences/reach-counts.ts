import { type AudiencePreview, type ContactReach, contactReaches } from '#domain/api/audiences.ts';
import { type ControlGroup, inControlGroup } from '../tenants/control-group.ts';

/** Contacts by class. */
export type ReachCounts = Record<ContactReach, number>;

/** SQL: how the profile `p` of a contact is reached; unreachable without one. Binds what `inControlGroup` does, if there is a group. */
export const reachOfProfile = (contactId: string, control: ControlGroup | null): string =>
  `case when p.unsubscribed then 'unsubscribed' when p.follow_state = 'following' then ${
    control ? `case when ${inControlGroup(contactId)} then 'controlGroup' else 'reachable' end` : "'reachable'"
  } else 'unreachable' end`;

/** Nobody is kept from anything. */
export const nobodyExcluded: AudiencePreview['excluded'] = {
  expiredTags: 0,
  unsubscribed: 0,
  unreachable: 0,
  controlGroup: 0,
};

/** SQL: the number of contacts in each class for which a condition holds. */
export const reachCountsWhere = (condition: string): string =>
  contactReaches.map((reach) => `count(*) filter (where class = '${reach}' and ${condition}) as "${reach}"`).join(', ');

/** SQL: the number of contacts in each class. */
export const reachCounts = reachCountsWhere('true');

/** Counts by class, added up as the preview shows them. */
export function previewOf(counts: ReachCounts | undefined): AudiencePreview {
  if (!counts) throw new Error('An aggregate returned no row');
  const { reachable: reachableCount, expiredTags, unsubscribed, unreachable, controlGroup } = counts;
  const hitCount = reachableCount + expiredTags + unsubscribed + unreachable + controlGroup;
  return { hitCount, reachableCount, excluded: { expiredTags, unsubscribed, unreachable, controlGroup } };
}
