import { z } from 'zod';
import type { Page } from '#domain/api/primitives.ts';
import { decodeCursor, keyText, microseconds, pageOf, type PageRequest } from '#domain/cursor.ts';
import { type DisputeStatus, disputeStatuses } from '#domain/orders/administration/disputes.ts';
import { type Database, rows } from '#db/database.ts';
import type { Dispute } from '../models/disputes.ts';
import { reached, type StaffReach } from '../staff.ts';
import { type NotedDispute, withNotes } from './find.ts';

export interface DisputeSearch extends StaffReach {
  /** One of the tenants that the session reaches; all of them where undefined. */
  tenantId: string | undefined;
  status: DisputeStatus | undefined;
}

const position = z.tuple([microseconds, keyText]);
const newest = 'order by opened_at desc, dispute_id desc limit :limit';

/** The disputes of the tenants of staff, newest first. */
export async function listDisputes(
  database: Database,
  { staffTenantId, withMembers, tenantId, status }: DisputeSearch,
  { cursor, limit }: PageRequest,
): Promise<Page<NotedDispute>> {
  const [micros, disputeId] = decodeCursor(position, cursor) ?? [];
  const after =
    micros === undefined
      ? 'true'
      : `(d.opened_at, d.dispute_id) < (timestamptz 'epoch' + :micros * interval '1 microsecond', :disputeId)`;
  const found = await rows<Dispute & { orderNo: string; micros: number }>(
    database,
    // As many of each tenant and status as a page needs, in index order.
    `select d.*, o.order_no, (extract(epoch from d.opened_at) * 1000000)::bigint as micros
     from (${reached}) reach (tenant_id)
     cross join unnest(cast(:statuses as text[])) wanted (status)
     cross join lateral (select * from dispute d
       where d.tenant_id = reach.tenant_id and d.status = wanted.status and ${after} ${newest}) d
     join customer_order o using (order_id)
     where ${tenantId === undefined ? 'true' : 'reach.tenant_id = :tenantId'}
     order by d.opened_at desc, d.dispute_id desc limit :limit`,
    {
      staffTenantId,
      withMembers,
      tenantId,
      statuses: status === undefined ? [...disputeStatuses] : [status],
      micros,
      disputeId,
      limit: limit + 1,
    },
  );
  const { items, nextCursor } = pageOf(found, limit, (last) => [last.micros, last.disputeId]);
  return { items: await withNotes(database, items), nextCursor };
}
