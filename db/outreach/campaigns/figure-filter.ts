import type { FigureName } from '#domain/campaigns/figures.ts';

interface Counted {
  /** The rows that a figure counts; `c` is the campaign. */
  rows: string;
  at: string;
  /** Its roll-up by the hour, which stays when the rows are dropped. */
  hours?: string;
}

const hours = (table: string, count: string) =>
  `${table} h where h.tenant_id = c.tenant_id and h.campaign_id = c.campaign_id and h.${count} > 0`;

const counted: Record<FigureName, Counted> = {
  delivered: {
    rows: 'broadcast_task h where h.campaign_id = c.campaign_id and h.delivered > 0',
    at: 'coalesce(h.started_at, h.submitted_at)',
  },
  clickedContacts: {
    rows: 'click_attribution h where h.campaign_id = c.campaign_id',
    at: 'h.clicked_at',
    hours: hours('click_hour', 'clicks'),
  },
  conversationsOpened: {
    rows: 'conversation h where h.campaign_id = c.campaign_id',
    at: 'h.opened_at',
    hours: hours('conversation_hour', 'opened'),
  },
  conversions: { rows: 'tag_assignment h where h.source_campaign_id = c.campaign_id', at: 'h.assigned_at' },
};

/** SQL condition for campaigns that contribute to a figure in [:from, :to); either end may be omitted. */
export function addsTo(
  figure: FigureName,
  { from, to }: { from?: string | undefined; to?: string | undefined },
): string {
  const { rows, at, hours: rolledUp } = counted[figure];
  const within = (source: string, first: string, last: string) => `exists (select 1 from ${source}
    ${from === undefined ? '' : `and ${first} >= :from::timestamptz`}
    ${to === undefined ? '' : `and ${last} < :to::timestamptz`})`;
  const single = within(rows, at, at);
  return rolledUp === undefined
    ? single
    : `(${single} or ${within(rolledUp, 'h.at', `h.at + interval '59 minutes 59 seconds'`)})`;
}
