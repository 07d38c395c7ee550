import { firstRow, type Transaction } from '#db/database.ts';
import { controlGroupOf, inControlGroup } from '../tenants/control-group.ts';
import type { AudienceOwner } from './owner.ts';
import type { ReachCounts } from './reach-counts.ts';
import type { AudienceSource } from './source.ts';
import { isValid } from './valid-tag.ts';

/** How many contacts a block has bits for, as its migration says. */
export const BITS_OF_A_BLOCK = 4096;

/** SQL: one of the sets of a block; null if it is empty. AND needs a block of every tag, OR of any. */
const matching = ({ tagOperator }: Extract<AudienceSource, { kind: 'tags' }>, which: string) =>
  tagOperator === 'AND'
    ? `case when count(*) filter (where ${which}) = :needed::int then bit_and(contacts) filter (where ${which}) end`
    : `bit_or(contacts) filter (where ${which})`;

/** SQL: those of `found` who would be reached and are in the tenant's control group. */
const controlled = `controlled as (
      select count(*)::int as "controlGroup"
      from found join contact_profile p on p.ordinal / ${BITS_OF_A_BLOCK} = block
      where p.tenant_id = :tenantId and p.service_number_id = :serviceNumberId
        and not p.unsubscribed and p.follow_state = 'following' and ${inControlGroup('p.contact_id')}
        and get_bit(valid, p.ordinal % ${BITS_OF_A_BLOCK}) = 1)`;

/**
 * Counts the contacts of a tag filter by class, in sets of bits; only who is not reachable is looked up.
 * @returns null if a tag has contacts without a profile, which have no bit.
 */
export async function countTagBlocks(
  transaction: Transaction,
  { tenantId, serviceNumberId }: AudienceOwner,
  source: Extract<AudienceSource, { kind: 'tags' }>,
  now: Date,
): Promise<ReachCounts | null> {
  const wanted = [...new Set(source.appTagIds)];
  const control = await controlGroupOf(transaction, tenantId);
  const sql = `
    with tags as (
      select tag_id, contact_count, tag_id = any(:wanted) as is_wanted, tag_id = any(:excluded) as is_excluded,
        ${isValid} as is_valid
      from tag where tenant_id = :tenantId and tag_id = any(:wanted::text[] || :excluded::text[])),
    sizes as (
      select tag_id, sum(bit_count(contacts)) as contacts from tags join tag_block using (tag_id) group by 1),
    sets as (
      select block, ${matching(source, 'is_wanted')} as hit, ${matching(source, 'is_wanted and is_valid')} as valid,
        bit_or(contacts) filter (where is_excluded and is_valid) as barred
      from tags join tag_block using (tag_id) group by block),
    found as materialized (
      select block, case when barred is null then hit else hit & ~barred end as hit,
        case when barred is null then valid else valid & ~barred end as valid
      from sets where hit is not null),
    totals as (
      select coalesce(sum(bit_count(hit)), 0)::int as hit, coalesce(sum(bit_count(valid)), 0)::int as valid from found),
    unreached as (
      select count(*) filter (where p.unsubscribed)::int as unsubscribed,
        count(*) filter (where not p.unsubscribed)::int as unreachable
      from found join contact_profile p on p.ordinal / ${BITS_OF_A_BLOCK} = block
      where p.tenant_id = :tenantId and p.service_number_id = :serviceNumberId
        and (p.unsubscribed or p.follow_state <> 'following') and get_bit(valid, p.ordinal % ${BITS_OF_A_BLOCK}) = 1)
    ${control ? `, ${controlled}` : ''}
    select valid - unsubscribed - unreachable - ${control ? '"controlGroup"' : 0} as reachable, hit - valid as "expiredTags",
      unsubscribed, unreachable, ${control ? '' : '0 as '}"controlGroup",
      not exists (select from tags left join sizes using (tag_id) where contact_count <> coalesce(contacts, 0)) as complete
    from totals, unreached ${control ? ', controlled' : ''}`;
  const counted = await firstRow<ReachCounts & { complete: boolean }>(transaction, sql, {
    ...control,
    tenantId,
    serviceNumberId,
    now,
    wanted,
    excluded: source.excludeTagIds,
    needed: wanted.length,
  });
  if (!counted) throw new Error('An aggregate returned no row');
  const { complete, ...counts } = counted;
  return complete ? counts : null;
}
