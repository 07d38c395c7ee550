import type { Schedule } from '../api/campaign.ts';
import type { Pace } from '../api/pace.ts';
import { type FieldError, invalidField } from '../api/problem.ts';

/** When a campaign is to start and to end. */
export interface CampaignTimes {
  schedule: Schedule;
  endsAt: Date | null;
  pace: Pace | null;
}

/** The planned start; null for a campaign that starts when it is sent. */
export function plannedStart({ schedule }: Pick<CampaignTimes, 'schedule'>): Date | null {
  return schedule.type === 'scheduled' ? new Date(schedule.at) : null;
}

/** When the audience is resolved, if not by the send itself. */
export function plannedFreeze({ schedule }: Pick<CampaignTimes, 'schedule'>): Date | null {
  return schedule.type === 'scheduled' && schedule.audience === 'at_start' ? new Date(schedule.at) : null;
}

/** Why this end cannot be kept: it has passed, or leaves no room for the start. */
export function invalidEnd(times: Omit<CampaignTimes, 'pace'>, now: Date): FieldError[] {
  const { endsAt } = times;
  if (endsAt === null) return [];
  if (endsAt <= now) return [invalidField('/endsAt', 'in_past')];
  const at = plannedStart(times);
  return at !== null && endsAt <= at ? [invalidField('/endsAt', 'before_start')] : [];
}

/** Why the moments of this pace cannot be kept: they have passed, or leave no room for the start. */
export function invalidPace({ schedule, pace }: Pick<CampaignTimes, 'schedule' | 'pace'>, now: Date): FieldError[] {
  const start = plannedStart({ schedule });
  return (['evenlyUntil', 'deadline'] as const).flatMap((name) => {
    const at = pace?.[name];
    if (at === undefined) return [];
    if (new Date(at) <= now) return [invalidField(`/pace/${name}`, 'in_past')];
    return start !== null && new Date(at) <= start ? [invalidField(`/pace/${name}`, 'before_start')] : [];
  });
}

/** Why a campaign that is not sent yet cannot be sent at `now` with these times. */
export function invalidTimes(times: CampaignTimes, now: Date): FieldError[] {
  const at = plannedStart(times);
  const passed = at !== null && at <= now ? [invalidField('/schedule/at', 'in_past')] : [];
  return [...passed, ...invalidEnd(times, now), ...invalidPace(times, now)];
}
