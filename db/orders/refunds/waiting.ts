import type { WaitingRefund } from '#domain/api/waiting-refunds.ts';
import { type Database, rows } from '#db/database.ts';
import { reached, type StaffReach } from '../staff.ts';

const MOST = 500;

/** Refunds that need staff, newest first. Reads an index of such refunds. */
export async function listWaitingRefunds(database: Database, reach: StaffReach): Promise<WaitingRefund[]> {
  const found = await rows<Omit<WaitingRefund, 'since'> & { since: Date }>(
    database,
    `select r.refund_id, r.order_id, o.order_no, coalesce(r.needs_staff_since, r.asked_since) as since
     from refund r left join customer_order o using (order_id)
     where r.status = 'needs_staff' and r.tenant_id in (${reached}) order by since desc, r.refund_id limit ${MOST}`,
    { ...reach },
  );
  return found.map(({ since, ...refund }) => ({ ...refund, since: since.toISOString() }));
}
