import type { Results } from '#domain/api/campaign.ts';

export const funnelSteps = ['audience', 'sent', 'delivered', 'read', 'clicked', 'conversation', 'conversion'] as const;
export type FunnelStep = (typeof funnelSteps)[number];
/** The steps that others are shown as a share of. */
export type FunnelBase = 'audience' | 'sent' | 'delivered' | 'clicked';

export interface FunnelRow {
  step: FunnelStep;
  count: number;
  /** The step that this one is a share of, besides the audience; null for the audience itself. */
  base: { step: FunnelBase; count: number } | null;
}

const baseOf: Record<FunnelStep, FunnelBase | null> = {
  audience: null,
  sent: 'audience',
  delivered: 'sent',
  read: 'delivered',
  clicked: 'delivered',
  conversation: 'clicked',
  conversion: 'clicked',
};

/**
 * The outcome for the audience, step by step. Clicks can exceed reads, because reads arrive late. Conversions are
 * tags that the campaign led to.
 */
export function funnelOf(results: Results): FunnelRow[] {
  const counts: Record<FunnelStep, number> = {
    audience: results.audienceCount,
    sent: results.summary.sent,
    delivered: results.summary.delivered,
    read: results.summary.read,
    clicked: results.clicks.uniqueContacts,
    conversation: results.conversations.opened,
    conversion: results.tagged.reduce((sum, { contacts }) => sum + contacts, 0),
  };
  return funnelSteps.map((step) => {
    const base = baseOf[step];
    return { step, count: counts[step], base: base && { step: base, count: counts[base] } };
  });
}
