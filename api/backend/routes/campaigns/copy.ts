import type { Pace } from '../../../../domain/api/pace.ts';
import { type CampaignContent, fieldsOf } from '../../../../domain/campaigns/fields.ts';
import type { CampaignRecord } from '../../../../db/outreach/campaigns/campaigns.ts';

/** What of a pace still lies ahead; null if nothing does. */
function paceAhead(pace: Pace | null, now: Date): Pace | null {
  const { evenlyUntil, deadline, ...rest } = pace ?? {};
  const isAhead = (at: string | undefined) => at !== undefined && new Date(at) > now;
  const kept = {
    ...rest,
    ...(isAhead(evenlyUntil) ? { evenlyUntil } : {}),
    ...(isAhead(deadline) ? { deadline } : {}),
  };
  return Object.keys(kept).length === 0 ? null : kept;
}

/** A copy omits times that have passed. */
export function copyOf(campaign: CampaignRecord, now: Date): CampaignContent {
  const { serviceNumberId, schedule, endsAt, pace } = campaign;
  const past = schedule.type === 'scheduled' && new Date(schedule.at) <= now;
  return {
    ...fieldsOf(campaign),
    serviceNumberId,
    schedule: past ? { type: 'immediate' } : schedule,
    endsAt: endsAt && endsAt > now ? endsAt : null,
    pace: paceAhead(pace, now),
  };
}

/** A copy for contacts that the campaign has reached: nobody is kept from what follows on it. */
export const followUpOf = (campaign: CampaignRecord, now: Date): CampaignContent => ({
  ...copyOf(campaign, now),
  holdoutPercent: null,
});
