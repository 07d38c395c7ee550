import { invalidField, type FieldError } from '#domain/api/problem.ts';
import { type Segment, type SegmentCampaigns, segmentParts } from '#domain/api/segments.ts';
import { type Database, rows } from '#db/database.ts';
import { isThere } from '../valid-tag.ts';
import type { AudienceScope } from '../owner.ts';

interface Reference {
  id: string;
  path: string;
}

const campaignsAt = (of: SegmentCampaigns, path: string): Reference[] =>
  'campaignIds' in of ? of.campaignIds.map((id, at) => ({ id, path: `${path}/campaignIds/${at}` })) : [];

function referencesOf(segment: Segment): { tags: Reference[]; campaigns: Reference[] } {
  const parts = segmentParts(segment);
  return {
    tags: parts.flatMap(({ part, path }) => ('tag' in part ? [{ id: part.tag, path: `${path}/tag` }] : [])),
    campaigns: parts.flatMap(({ part, path }) => {
      if ('reached' in part) return campaignsAt(part.reached, `${path}/reached`);
      if ('conversed' in part) return campaignsAt(part.conversed, `${path}/conversed`);
      return 'clicked' in part ? campaignsAt(part.clicked.campaigns, `${path}/clicked/campaigns`) : [];
    }),
  };
}

const known = (asOf: Date | undefined) => `
  select tag_id as id, 'tag' as type from tag where tenant_id = :tenantId and service_number_id = :serviceNumberId
    and tag_id = any(:tagIds) and ${isThere(asOf)}
  union all
  select campaign_id, 'campaign' from campaign where tenant_id = :tenantId and service_number_id = :serviceNumberId
    and campaign_id = any(:campaignIds)`;

const idsOf = (references: Reference[]) => references.map(({ id }) => id);

/** A field error for each tag and campaign of a segment that its service number does not have. */
export async function unknownInSegment(
  database: Database,
  { path, tenantId, serviceNumberId, asOf }: AudienceScope,
  segment: Segment,
): Promise<FieldError[]> {
  const { tags, campaigns } = referencesOf(segment);
  const found = await rows<{ id: string; type: 'tag' | 'campaign' }>(database, known(asOf), {
    asOf: asOf ?? null,
    tenantId,
    serviceNumberId,
    tagIds: idsOf(tags),
    campaignIds: idsOf(campaigns),
  });
  const has = (type: 'tag' | 'campaign', id: string) => found.some((one) => one.type === type && one.id === id);
  return [
    ...tags.filter(({ id }) => !has('tag', id)).map((tag) => invalidField(`${path}${tag.path}`, 'unknown_or_archived')),
    ...campaigns
      .filter(({ id }) => !has('campaign', id))
      .map((campaign) => invalidField(`${path}${campaign.path}`, 'unknown_campaign')),
  ];
}
