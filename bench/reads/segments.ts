import type { Audience, AudiencePreview } from '#domain/api/audiences.ts';
import type { Segment } from '#domain/api/segments.ts';
import { type Database, rows } from '#db/database.ts';
import type { TestTenant } from '#test/support/services/tenant.ts';
import { eventually } from '#test/support/time/eventually.ts';
import { elapsed } from '../elapsed.ts';
import { addCampaigns, hasReach, letReachBeBuilt, type Owned, type Size, withoutReach } from './scene.ts';
import { times } from './times.ts';

/** By hand: reads all profiles, as what each part of a segment holds for is counted. */
const profilesByHand = `
  select count(*) filter (where p.follow_state = 'following'), count(*) filter (where p.unsubscribed)
  from contact_profile p where p.tenant_id = :tenantId and p.service_number_id = :serviceNumberId`;

type Api = TestTenant['api'];

interface Asked {
  serviceNumberId: string;
  tagId: string;
  campaignId: string;
}

async function segmentsOfThree(api: Api, { serviceNumberId, tagId, campaignId }: Asked, rounds: number) {
  const preview = (parts: Segment[]) => {
    const audience: Audience = { type: 'segment', segment: { all: [{ tag: tagId }, ...parts] } };
    return times(() => api.post<AudiencePreview>('/audiences:preview', { serviceNumberId, audience }), rounds);
  };
  const notClicked = (lastDays: number): Segment => ({ not: { clicked: { campaigns: { lastDays } } } });
  return {
    reachedByOneNotClicked: await preview([{ reached: { campaignIds: ['reached-1'] } }, notClicked(7)]),
    reachedByLargestNotClicked: await preview([{ reached: { campaignIds: [campaignId] } }, notClicked(7)]),
    reachedByAnyNotClicked: await preview([{ reached: { lastDays: 30 } }, notClicked(30)]),
  };
}

/**
 * Previews of segments of three parts beside a hundred campaigns: as long as the sets of whom they reached are not there,
 * and once the sweep has built them; `reachedByLargest` is about one that reached everybody.
 */
export async function segments(owner: Database, api: Api, asked: Asked & Owned, size: Size) {
  await addCampaigns(owner, asked, size);
  await withoutReach(owner);
  const unfolded = await segmentsOfThree(api, asked, 3);
  await letReachBeBuilt(owner);
  const built = () => eventually('all sets are built', () => hasReach(owner), { timeoutMs: 300_000, intervalMs: 200 });
  const [, buildSeconds] = await elapsed(built);
  const { tenantId, serviceNumberId } = asked;
  return {
    floorAllProfiles: await times(() => rows(owner, profilesByHand, { tenantId, serviceNumberId }), 5),
    unfolded,
    buildSeconds,
    ...(await segmentsOfThree(api, asked, 11)),
  };
}
