import type { DeliveryData, MerchantEventType } from '#domain/orders/administration/merchant-events.ts';
import { type Database, firstRow, rows } from '#db/database.ts';
import { type Author, recordAudit } from '../audit.ts';
import { makeDue } from '#db/webhooks/claims.ts';
import { reached, type StaffReach } from '../staff.ts';
import { transact } from '../transaction.ts';
import { recordTestEvent } from './events.ts';

/** Deliveries as staff see them. */

export interface DeliveryRow {
  deliveryId: string;
  eventId: string;
  type: MerchantEventType;
  orderId: string | null;
  status: DeliveryData['status'];
  attempts: number;
  lastStatus: number | null;
  lastError: string | null;
  nextAttemptAt: Date | null;
  createdAt: Date;
}

const deliverySelect = `select d.delivery_id, d.event_id, e.type, e.order_id, d.status, d.attempts,
    d.last_status, d.last_error, d.next_attempt_at, d.created_at
  from delivery d join merchant_event e using (event_id)`;

export interface DeliverySearch extends StaffReach {
  orderId: string | null;
  /** The last delivery of the page before. */
  after: string | null;
  /** How many rows at most. */
  limit: number;
}

/** Newest first: ids are UUIDv7. */
export async function listDeliveries(database: Database, search: DeliverySearch): Promise<DeliveryRow[]> {
  const after = search.after === null ? 'true' : 'd.delivery_id < :after';
  const newest = 'order by d.delivery_id desc limit :limit';
  const sql =
    search.orderId === null
      ? `select d.* from (${reached}) reach (tenant_id) cross join lateral
           (${deliverySelect} where d.tenant_id = reach.tenant_id and ${after} ${newest}) d ${newest}`
      : `${deliverySelect} where e.order_id = :orderId and d.tenant_id in (${reached}) and ${after} ${newest}`;
  return rows(database, sql, { ...search });
}

async function findDelivery(database: Database, deliveryId: string): Promise<DeliveryRow | null> {
  return firstRow(database, `${deliverySelect} where d.delivery_id = :deliveryId`, { deliveryId });
}

/** Writes an event `webhook.test`, for an order that is none. @returns null if the tenant has no webhook. */
export async function insertTestEvent(
  database: Database,
  { tenantId, author }: { tenantId: string; author: Author },
): Promise<DeliveryRow | null> {
  return transact(database, async (transaction) => {
    const deliveryId = await recordTestEvent(transaction, tenantId);
    if (deliveryId === null) return null;
    const subject = { type: 'webhook' as const, id: tenantId };
    await recordAudit(transaction, {
      tenantId,
      author,
      action: 'webhook.test',
      subject,
      before: null,
      after: { deliveryId },
    });
    return findDelivery(transaction, deliveryId);
  });
}

/**
 * Makes a delivery due now, whatever became of it. One that waits for the event before it goes on waiting, and one that
 * is under way is not attempted twice at once.
 * @returns null if there is no such delivery in reach, `no_webhook` if there is nowhere to send it.
 */
export async function redeliver(
  database: Database,
  { author, deliveryId, ...reach }: StaffReach & { deliveryId: string; author: Author },
): Promise<DeliveryRow | 'no_webhook' | null> {
  return transact(database, async (transaction) => {
    const found = await firstRow<{ tenantId: string; status: string; attempts: number; webhook: boolean }>(
      transaction,
      `select d.tenant_id, d.status, d.attempts,
         exists (select 1 from webhook w where w.tenant_id = d.tenant_id for key share) as webhook
       from delivery d where d.delivery_id = :deliveryId and d.tenant_id in (${reached})`,
      { deliveryId, ...reach },
    );
    if (!found?.webhook) return found && 'no_webhook';
    await makeDue(transaction, deliveryId);
    await recordAudit(transaction, {
      tenantId: found.tenantId,
      author,
      action: 'delivery.redeliver',
      subject: { type: 'delivery', id: deliveryId },
      before: { status: found.status, attempts: found.attempts },
      after: { status: 'pending' },
    });
    return findDelivery(transaction, deliveryId);
  });
}
