import type { DispatchContent } from '#db/outreach/sends/ledger/ledger.ts';
import type { ClickTokens } from '#domain/campaigns/revenue/click-token.ts';
import { countsUntil } from '#domain/campaigns/revenue/window.ts';
import { placeOf } from '#domain/campaigns/variants/variants.ts';
import type { SubTaskPart } from '../sends/broadcast-body.ts';

type LinkingContent = Pick<DispatchContent, 'tenantId' | 'campaignId' | 'revenueWindowDays' | 'scheduledAt'>;

/** What gives each link of a sub-task its click token; nothing if the campaign's links carry none. */
export function linkTokens(
  tokens: Pick<ClickTokens, 'issue'>,
  { tenantId, campaignId, revenueWindowDays, scheduledAt }: LinkingContent,
  { key: subTaskKey, now, variant }: { key: string; now: Date; variant: number | null },
): Pick<SubTaskPart, 'tokenOf'> {
  if (revenueWindowDays === null) return {};
  const sentAt = scheduledAt !== null && scheduledAt > now ? scheduledAt : now;
  const click = { campaignId, subTaskKey, countsUntil: countsUntil(sentAt, revenueWindowDays) };
  return {
    tokenOf: ({ messageIndex, actionIndex }) =>
      tokens.issue(tenantId, { ...click, messageIndex: placeOf(variant, messageIndex), actionIndex }),
  };
}
