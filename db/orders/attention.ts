import type { AttentionData } from '#domain/orders/responses.ts';
import { type Database, firstRow } from '../database.ts';
import { openFlags, reached, type StaffReach, stuckRefunds } from './staff.ts';

/** Passed as an array: few rows are open, which the planner cannot know. */
const openOrders = `${openFlags}
  union ${stuckRefunds}`;

const counts = `select
    (select count(*) from customer_order o
      where o.order_id = any (array(${openOrders})) and o.tenant_id in (${reached}))::int as orders,
    (select count(*) from gateway_event e join tenant t on t.shop_id = e.shop_id
      where e.status in ('unmatched', 'ignored') and e.resolution is null and t.tenant_id in (${reached}))::int
    + (select count(*) from refund r
      where r.status = 'needs_staff' and r.order_id is null and r.tenant_id in (${reached}))::int as unmatched`;

/** Counts of open decisions at the tenants that staff can access. Every part reads an index of open rows. */
export async function countAttention(database: Database, reach: StaffReach): Promise<AttentionData> {
  return (await firstRow<AttentionData>(database, counts, { ...reach })) ?? { orders: 0, unmatched: 0 };
}
