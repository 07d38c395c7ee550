import type { Overview } from '#domain/api/overview.ts';
import type { Revenue, RevenueSum } from '#domain/api/revenue.ts';
import { actionLabel } from '#domain/campaigns/action-label.ts';
import type { Message } from '#domain/api/messages.ts';
import { fromMinor } from '#domain/orders/money.ts';
import type { Period } from '#domain/period.ts';
import { firstRow, rows, type Transaction } from '#db/database.ts';
import type { InsightScope } from '../overview/attention.ts';

interface MinorSum {
  currency: string;
  orders: number;
  paidMinor: number;
  refundedMinor: number;
}

const inUnits = ({ currency, orders, paidMinor, refundedMinor }: MinorSum): RevenueSum => ({
  currency,
  orders,
  paid: fromMinor(paidMinor),
  refunded: fromMinor(refundedMinor),
  net: fromMinor(paidMinor - refundedMinor),
});

const sums = `coalesce(sum(orders), 0)::int as orders, coalesce(sum(paid_minor), 0)::bigint as paid_minor,
  coalesce(sum(refunded_minor), 0)::bigint as refunded_minor`;

/** What orders from a campaign's links brought in; null if its links carry no token. */
export async function readRevenueOf(
  transaction: Transaction,
  key: { tenantId: string; campaignId: string },
  messages: readonly (Message | undefined)[],
): Promise<Revenue | null> {
  const campaign = await firstRow<{ windowDays: number | null }>(
    transaction,
    `select revenue_window_days as window_days from campaign where tenant_id = :tenantId and campaign_id = :campaignId`,
    key,
  );
  if (!campaign || campaign.windowDays === null) return null;
  const of = (columns: string) =>
    `select ${columns} from campaign_revenue where tenant_id = :tenantId and campaign_id = :campaignId`;
  const totals = await rows<MinorSum>(transaction, `${of(`currency, ${sums}`)} group by 1 order by 1`, key);
  const buttons = await rows<MinorSum & { messageIndex: number; actionIndex: number }>(
    transaction,
    `${of('message_index, action_index, currency, orders, paid_minor, refunded_minor')} order by 1, 2, 3`,
    key,
  );
  return {
    windowDays: campaign.windowDays,
    totals: totals.map((sum) => ({
      ...inUnits(sum),
      averageOrder: fromMinor(sum.orders > 0 ? Math.round(sum.paidMinor / sum.orders) : 0),
    })),
    byAction: buttons.map(({ messageIndex, actionIndex, ...sum }) => ({
      messageIndex,
      actionIndex,
      label: actionLabel(messages, messageIndex, actionIndex),
      ...inUnits(sum),
    })),
  };
}

/** What orders from links of campaigns brought in within the period, by currency, and the sum of the one before. */
export async function readRevenueWithin(
  transaction: Transaction,
  scope: InsightScope,
  { previousFrom, from, to }: Period,
): Promise<Overview['revenue']> {
  const ofNumber =
    scope.serviceNumberId === undefined
      ? ''
      : `and campaign_id in (select campaign_id from campaign
           where tenant_id = :tenantId and service_number_id = :serviceNumberId)`;
  const found = await rows<MinorSum & { previousMinor: number }>(
    transaction,
    `select currency, count(*) filter (where at >= :from and kind = 'payment')::int as orders,
       coalesce(sum(amount_minor) filter (where at >= :from and kind = 'payment'), 0)::bigint as paid_minor,
       coalesce(-sum(amount_minor) filter (where at >= :from and kind = 'refund'), 0)::bigint as refunded_minor,
       coalesce(sum(amount_minor) filter (where at < :from), 0)::bigint as previous_minor
     from revenue_entry where tenant_id = :tenantId and at >= :previousFrom and at < :to ${ofNumber}
     group by 1 order by 1`,
    { ...scope, previousFrom, from, to },
  );
  return found.map(({ previousMinor, ...sum }) => ({ ...inUnits(sum), previousNet: fromMinor(previousMinor) }));
}
