import type { Campaign } from '#domain/api/campaign.ts';

/** What a list says of a campaign's time: that it will be sent, was confirmed or was sent are different facts. */
export interface Moment {
  fact: 'edited' | 'due' | 'confirmed' | 'sent';
  at: string;
}

type Times = Pick<Campaign, 'status' | 'startedAt' | 'sentAt'> & {
  /** When it is scheduled for; null if it goes out at once. */
  scheduledAt: string | null;
  updatedAt?: string;
};

/** The one that matters now. `sentAt` is when somebody confirmed the send, `startedAt` when the platform began it. */
export function momentOf({ status, scheduledAt, startedAt, sentAt, updatedAt = '' }: Times): Moment {
  if (startedAt) return { fact: 'sent', at: startedAt };
  if (scheduledAt && (status === 'scheduled' || status === 'paused')) return { fact: 'due', at: scheduledAt };
  return sentAt ? { fact: 'confirmed', at: sentAt } : { fact: 'edited', at: updatedAt };
}

/** The same of a campaign as the API returns it. */
export const campaignMoment = (campaign: Campaign): Moment =>
  momentOf({ ...campaign, scheduledAt: campaign.schedule.type === 'scheduled' ? campaign.schedule.at : null });
