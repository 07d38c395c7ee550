import type { Page } from '#domain/api/primitives.ts';
import type { PageRequest } from '#domain/cursor.ts';
import { type RefundStatus, refundStatuses } from '#domain/orders/administration/refunds.ts';
import type { Database } from '#db/database.ts';
import type { Refund } from '../models/refunds.ts';
import { listNewest, type StatusSearch } from '../staff-list.ts';

const refunds = {
  table: 'refund',
  at: 'created_at',
  id: 'refund_id',
  columns: 'r.*',
  statuses: refundStatuses,
} as const;

/** The refunds of the tenants of staff, newest first, those of money without an order included. */
export const listRefunds = (
  database: Database,
  search: StatusSearch<RefundStatus>,
  page: PageRequest,
): Promise<Page<Refund>> => listNewest<Refund>(database, refunds, search, page);
