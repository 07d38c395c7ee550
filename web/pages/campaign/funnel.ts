import type { Results } from '../../../domain/api/campaign.ts';

export const funnelSteps = ['audience', 'sent', 'delivered', 'read', 'clicked', 'conversation'] as const;
export type FunnelStep = (typeof funnelSteps)[number];

export interface FunnelRow {
  step: FunnelStep;
  count: number;
  /** The count of the step that this one is a share of, besides the audience; null for the audience itself. */
  before: number | null;
}

/** What became of the audience, step by step. Not everyone who clicks is known to have read: reads come late. */
export function funnelOf(results: Results): FunnelRow[] {
  const counts: Record<FunnelStep, number> = {
    audience: results.audienceCount,
    sent: results.summary.sent,
    delivered: results.summary.delivered,
    read: results.summary.read,
    clicked: results.clicks.uniqueContacts,
    conversation: results.conversations.opened,
  };
  const base: Record<FunnelStep, FunnelStep | null> = {
    audience: null,
    sent: 'audience',
    delivered: 'sent',
    read: 'delivered',
    clicked: 'delivered',
    conversation: 'clicked',
  };
  return funnelSteps.map((step) => {
    const before = base[step];
    return { step, count: counts[step], before: before && counts[before] };
  });
}
