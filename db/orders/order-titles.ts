import { type Database, rows } from '#db/database.ts';
import type { Page } from '#domain/api/primitives.ts';

/** What staff call an order by; null beside no order. */
export interface Titled {
  orderTitle: string | null;
}

/** The items with the title of the order that each is about; the number of an order that has none. */
export async function withOrderTitles<Item extends { orderId: string | null }>(
  database: Database,
  { items, nextCursor }: Page<Item>,
): Promise<Page<Item & Titled>> {
  const orderIds = [...new Set(items.flatMap(({ orderId }) => orderId ?? []))];
  const found =
    orderIds.length === 0
      ? []
      : await rows<{ orderId: string; orderTitle: string }>(
          database,
          `select order_id, coalesce(nullif(title, ''), order_no) as order_title from customer_order
           where order_id = any(:orderIds)`,
          { orderIds },
        );
  const titles = new Map(found.map(({ orderId, orderTitle }) => [orderId, orderTitle]));
  return { items: items.map((item) => ({ ...item, orderTitle: titles.get(item.orderId ?? '') ?? null })), nextCursor };
}
