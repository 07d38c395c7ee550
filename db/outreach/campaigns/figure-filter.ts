import type { FigureName } from '../../../domain/campaigns/figures.ts';

/** The rows that each figure counts, and their time; `c` is the campaign. */
const counted: Record<FigureName, { rows: string; at: string }> = {
  delivered: {
    rows: 'broadcast_task h where h.campaign_id = c.campaign_id and h.delivered > 0',
    at: 'coalesce(h.started_at, h.submitted_at)',
  },
  clickedContacts: { rows: 'click_attribution h where h.campaign_id = c.campaign_id', at: 'h.clicked_at' },
  conversationsOpened: { rows: 'conversation h where h.campaign_id = c.campaign_id', at: 'h.opened_at' },
  conversions: { rows: 'tag_assignment h where h.source_campaign_id = c.campaign_id', at: 'h.assigned_at' },
};

/** SQL condition for campaigns that contribute to a figure in [:from, :to); either end may be omitted. */
export function addsTo(
  figure: FigureName,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): string {
  const { rows, at } = counted[figure];
  return `exists (select 1 from ${rows}
    ${from === undefined ? '' : `and ${at} >= :from::timestamptz`}
    ${to === undefined ? '' : `and ${at} < :to::timestamptz`})`;
}
