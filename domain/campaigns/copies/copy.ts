import type { Pace } from '#domain/api/pace.ts';
import { type CampaignContent, fieldsOf } from '../fields.ts';
import { choiceOf } from '../cases/cases.ts';
import { segmentOf } from '../steps/decision.ts';

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

/** A copy for contacts that the campaign has reached: nobody is kept from what follows on it, and nothing follows it. */
export const followUpOf = (campaign: CampaignContent, now: Date): CampaignContent => ({
  ...copyOf(campaign, now),
  holdoutPercent: null,
  steps: null,
});

/** As much of a name as leaves room for the number. */
const NAME_AT_MOST = 190;

/** What a step of a campaign sends, at once, to those whom the campaign before it reached. @throws RangeError without such a step. */
export function stepCopyOf(
  campaign: CampaignContent,
  { position, previousId, now }: { position: number; previousId: string; now: Date },
): CampaignContent {
  const step = campaign.steps?.[position - 1];
  if (!step) throw new RangeError(`The campaign has no step ${position}`);
  return {
    ...followUpOf(campaign, now),
    // The campaign itself is the first message of all.
    name: `${[...campaign.name].slice(0, NAME_AT_MOST).join('')} · ${position + 1}`,
    ...choiceOf(step),
    variants: null,
    audience: { type: 'segment', segment: segmentOf(previousId, step.condition) },
    schedule: { type: 'immediate' },
  };
}
