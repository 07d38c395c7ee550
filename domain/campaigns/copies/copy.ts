import type { Pace } from '../../api/pace.ts';
import { type CampaignContent, fieldsOf } from '../fields.ts';

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
export function copyOf(campaign: CampaignContent, now: Date): CampaignContent {
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
export const followUpOf = (campaign: CampaignContent, now: Date): CampaignContent => ({
  ...copyOf(campaign, now),
  holdoutPercent: null,
});
