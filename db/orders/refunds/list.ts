import { z } from 'zod';
import type { Page } from '#domain/api/primitives.ts';
import { decodeCursor, keyText, microseconds, pageOf, type PageRequest } from '#domain/cursor.ts';
import { type RefundStatus, refundStatuses } from '#domain/orders/administration/refunds.ts';
import { type Database, rows } from '#db/database.ts';
import type { Refund } from '../models/refunds.ts';
import { reached, type StaffReach } from '../staff.ts';

export interface RefundSearch extends StaffReach {
  /** One of the tenants that the session reaches; all of them where undefined. */
  tenantId: string | undefined;
  status: RefundStatus | undefined;
}

const position = z.tuple([microseconds, keyText]);
const newest = 'order by created_at desc, refund_id desc limit :limit';

/** The refunds of the tenants of staff, newest first, those of money without an order included. */
export async function listRefunds(
  database: Database,
  { staffTenantId, withMembers, tenantId, status }: RefundSearch,
  { cursor, limit }: PageRequest,
): Promise<Page<Refund>> {
  const [micros, refundId] = decodeCursor(position, cursor) ?? [];
  const after =
    micros === undefined
      ? 'true'
      : `(r.created_at, r.refund_id) < (timestamptz 'epoch' + :micros * interval '1 microsecond', :refundId)`;
  const found = await rows<Refund & { micros: number }>(
    database,
    // As many of each tenant and status as a page needs, in index order.
    `select r.*, (extract(epoch from r.created_at) * 1000000)::bigint as micros
     from (${reached}) reach (tenant_id)
     cross join unnest(cast(:statuses as text[])) wanted (status)
     cross join lateral (select * from refund r
       where r.tenant_id = reach.tenant_id and r.status = wanted.status and ${after} ${newest}) r
     where ${tenantId === undefined ? 'true' : 'reach.tenant_id = :tenantId'} ${newest}`,
    {
      staffTenantId,
      withMembers,
      tenantId,
      statuses: status === undefined ? [...refundStatuses] : [status],
      micros,
      refundId,
      limit: limit + 1,
    },
  );
  return pageOf(found, limit, (last) => [last.micros, last.refundId]);
}
