import type { Page } from '#domain/api/primitives.ts';
import type { PageRequest } from '#domain/cursor.ts';
import { type DisputeStatus, disputeStatuses } from '#domain/orders/administration/disputes.ts';
import type { Database } from '#db/database.ts';
import type { Dispute } from '../models/disputes.ts';
import { listNewest, type StatusSearch } from '../staff-list.ts';
import { type NotedDispute, withNotes } from './find.ts';

const disputes = {
  table: 'dispute',
  at: 'opened_at',
  id: 'dispute_id',
  columns: 'r.*, (select o.order_no from customer_order o where o.order_id = r.order_id)',
  statuses: disputeStatuses,
} as const;

/** The disputes of the tenants of staff, newest first. */
export async function listDisputes(
  database: Database,
  search: StatusSearch<DisputeStatus>,
  page: PageRequest,
): Promise<Page<NotedDispute>> {
  const { items, nextCursor } = await listNewest<Dispute & { orderNo: string }>(database, disputes, search, page);
  return { items: await withNotes(database, items), nextCursor };
}
