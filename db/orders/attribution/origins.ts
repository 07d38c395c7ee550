import type { TrackedClick } from '#domain/campaigns/revenue/click-token.ts';
import { type Database, firstRow, rows, type Transaction } from '#db/database.ts';

/** Stores the campaign link that a new order came from. */
export async function insertOrigin(
  transaction: Transaction,
  order: { orderId: string; tenantId: string },
  click: TrackedClick,
): Promise<void> {
  await rows(
    transaction,
    `insert into order_origin
       (order_id, tenant_id, campaign_id, sub_task_key, message_index, action_index, counts_until)
     values (:orderId, :tenantId, :campaignId, :subTaskKey, :messageIndex, :actionIndex, :countsUntil)`,
    { ...click, orderId: order.orderId, tenantId: order.tenantId },
  );
}

/** The campaign link that an order came from; null if none. */
export function findOrigin(database: Database, orderId: string): Promise<TrackedClick | null> {
  return firstRow(
    database,
    `select campaign_id, sub_task_key, message_index, action_index, counts_until
     from order_origin where order_id = :orderId`,
    { orderId },
  );
}
