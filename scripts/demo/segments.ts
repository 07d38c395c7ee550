import type { SavedAudience } from '#domain/api/audiences.ts';
import type { Campaign } from '#domain/api/campaign.ts';
import type { Page } from '#domain/api/primitives.ts';
import type { Segment } from '#domain/api/segments.ts';
import type { Tag } from '#domain/api/tags.ts';
import type { JsonClient } from './client.ts';
import { finishedCampaign, tenant } from './content.ts';
import { named } from './plans.ts';

const { serviceNumberId } = tenant;

/** An audience by what contacts did, and a draft for those whom the finished campaign reached and who did not click. */
export async function seedSegments(api: JsonClient, lapsed: Tag): Promise<void> {
  const { items } = await api.get<Page<Campaign>>(`/campaigns?q=${encodeURIComponent(finishedCampaign)}`);
  const finished = items.find(({ name, sentAt }) => name === finishedCampaign && sentAt);
  if (!finished) throw new Error('the demonstration needs its finished campaign');
  const ofLately = { lastDays: 30 };
  const quiet: Segment = {
    all: [{ reached: ofLately }, { not: { any: [{ clicked: { campaigns: ofLately } }, { conversed: ofLately }] } }],
  };
  await named<SavedAudience>(api, '/audiences', {
    name: 'Reached this month, said nothing',
    serviceNumberId,
    type: 'segment',
    segment: quiet,
  });
  const campaigns = { campaignIds: [finished.id] };
  const silent: Segment = {
    all: [{ reached: campaigns }, { not: { clicked: { campaigns } } }, { not: { tag: lapsed.tagId } }],
  };
  await named<Campaign>(api, '/campaigns', {
    name: 'A second cup',
    serviceNumberId,
    messages: finished.messages,
    audience: { type: 'segment', segment: silent },
    schedule: { type: 'immediate' },
  });
}
