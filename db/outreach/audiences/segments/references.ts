import { invalidField, type FieldError } from '#domain/api/problem.ts';
import { invalidTimes, type Segment, type SegmentCampaigns, segmentParts } from '#domain/api/segments.ts';
import { type Database, rows } from '#db/database.ts';
import { isThere } from '../valid-tag.ts';
import type { AudienceScope } from '../owner.ts';

interface Reference {
  id: string;
  path: string;
}

const campaignsAt = (of: SegmentCampaigns, path: string): Reference[] =>
  'campaignIds' in of ? of.campaignIds.map((id, at) => ({ id, path: `${path}/campaignIds/${at}` })) : [];

function referencesOf(segment: Segment): { tags: Reference[]; lists: Reference[]; campaigns: Reference[] } {
  const parts = segmentParts(segment);
  return {
    tags: parts.flatMap(({ part, path }) => ('tag' in part ? [{ id: part.tag, path: `${path}/tag` }] : [])),
    lists: parts.flatMap(({ part, path }) =>
      'inList' in part ? [{ id: part.inList.audienceId, path: `${path}/inList/audienceId` }] : [],
    ),
    campaigns: parts.flatMap(({ part, path }) => {
      if ('reached' in part) return campaignsAt(part.reached, `${path}/reached`);
      if ('conversed' in part) return campaignsAt(part.conversed, `${path}/conversed`);
      return 'clicked' in part ? campaignsAt(part.clicked.campaigns, `${path}/clicked/campaigns`) : [];
    }),
  };
}

interface Known {
  id: string;
  type: 'tag' | 'campaign' | 'audience';
  /** What keeps a saved audience from being asked for as a list. */
  fault: 'no_list' | 'incomplete_list' | 'changed_since' | null;
}

// What a list had before it was changed is not kept.
const known = (asOf: Date | undefined) => `
  select tag_id as id, 'tag' as type, null as fault from tag
  where tenant_id = :tenantId and service_number_id = :serviceNumberId and tag_id = any(:tagIds) and ${isThere(asOf)}
  union all
  select campaign_id, 'campaign', null from campaign
  where tenant_id = :tenantId and service_number_id = :serviceNumberId and campaign_id = any(:campaignIds)
  union all
  select audience_id, 'audience', case when type <> 'contacts' then 'no_list' when collecting is not null then 'incomplete_list'
      when updated_at > :asOf::timestamptz then 'changed_since' end from audience
  where tenant_id = :tenantId and service_number_id = :serviceNumberId and audience_id = any(:audienceIds)`;

const idsOf = (references: Reference[]) => references.map(({ id }) => id);

/**
 * A field error for each tag, list and campaign of a segment that its service number does not have, each list that cannot be
 * asked for, and each number of times that cannot be.
 */
export async function faultsInSegment(
  database: Database,
  { path, tenantId, serviceNumberId, asOf }: AudienceScope,
  segment: Segment,
): Promise<FieldError[]> {
  const { tags, lists, campaigns } = referencesOf(segment);
  const found = await rows<Known>(database, known(asOf), {
    asOf: asOf ?? null,
    tenantId,
    serviceNumberId,
    tagIds: idsOf(tags),
    campaignIds: idsOf(campaigns),
    audienceIds: idsOf(lists),
  });
  const of = (type: Known['type'], id: string) => found.find((one) => one.type === type && one.id === id);
  const unknownOf = (type: Known['type'], references: Reference[], code: 'unknown_or_archived' | 'unknown_campaign') =>
    references.filter(({ id }) => !of(type, id)).map((one) => invalidField(`${path}${one.path}`, code));
  return [
    ...unknownOf('tag', tags, 'unknown_or_archived'),
    ...lists.flatMap((one) => {
      const list = of('audience', one.id);
      const code = list ? list.fault : 'unknown_audience';
      return code === null ? [] : [invalidField(`${path}${one.path}`, code)];
    }),
    ...unknownOf('campaign', campaigns, 'unknown_campaign'),
    ...invalidTimes(segment, path),
  ];
}
