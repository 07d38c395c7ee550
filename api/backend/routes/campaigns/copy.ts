import { type CampaignContent, fieldsOf } from '../../../../domain/campaigns/fields.ts';
import type { CampaignRecord } from '../../../../db/outreach/campaigns/campaigns.ts';

/** A copy omits times that have passed. */
export function copyOf(campaign: CampaignRecord, now: Date): CampaignContent {
  const { serviceNumberId, schedule, endsAt } = campaign;
  const past = schedule.type === 'scheduled' && new Date(schedule.at) <= now;
  return {
    ...fieldsOf(campaign),
    serviceNumberId,
    schedule: past ? { type: 'immediate' } : schedule,
    endsAt: endsAt && endsAt > now ? endsAt : null,
  };
}

/** A copy for contacts that the campaign has reached: nobody is kept from what follows on it. */
export const followUpOf = (campaign: CampaignRecord, now: Date): CampaignContent => ({
  ...copyOf(campaign, now),
  holdoutPercent: null,
});
