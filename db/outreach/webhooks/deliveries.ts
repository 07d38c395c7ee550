import { z } from 'zod';
import type { DeliveryFilter, EventDelivery } from '../../../domain/api/webhook.ts';
import type { Page } from '../../../domain/api/primitives.ts';
import { Problem } from '../../../domain/api/problem.ts';
import { decodeCursor, pageOf } from '../../../domain/cursor.ts';
import { type Database, firstRow, rows, type Transaction } from '../../database.ts';
import { makeDue } from '../../webhooks/claims.ts';
import { type Author, recordAudit } from '../audit/record.ts';
import { noWebhook } from './webhooks.ts';

/** A delivery for display, with times as dates, and its cursor position. */
export type DeliveryRecord = Omit<EventDelivery, 'nextAttemptAt' | 'createdAt'> & {
  nextAttemptAt: Date | null;
  createdAt: Date;
  position: string;
};

const select = `select d.delivery_id, d.event_id, e.type, e.data ->> 'campaignId' as campaign_id, e.contacts, d.status,
    d.attempts, d.last_status, d.last_error, d.next_attempt_at, d.created_at, d.position::text as position
  from delivery d join outgoing_event e using (event_id)`;

/** Newest first. */
export async function listDeliveries(
  database: Database,
  tenantId: string,
  { limit, cursor, status, type }: DeliveryFilter,
): Promise<Page<DeliveryRecord>> {
  const after = decodeCursor(z.tuple([z.string().regex(/^\d{1,18}$/)]), cursor);
  const found = await rows<DeliveryRecord>(
    database,
    `${select} where d.tenant_id = :tenantId
       ${status ? 'and d.status = :status' : ''} ${type ? 'and e.type = :type' : ''}
       ${after ? 'and d.position < :after::bigint' : ''}
     order by d.position desc limit :rows`,
    { tenantId, status: status ?? null, type: type ?? null, after: after?.[0] ?? null, rows: limit + 1 },
  );
  return pageOf(found, limit, ({ position }) => [position]);
}

async function readDelivery(database: Database, deliveryId: string): Promise<DeliveryRecord> {
  const found = await firstRow<DeliveryRecord>(database, `${select} where d.delivery_id = :deliveryId`, { deliveryId });
  if (!found) throw new Problem('not_found', 'There is no such delivery');
  return found;
}

const lockWebhook = (transaction: Transaction, tenantId: string) =>
  firstRow(transaction, 'select 1 from webhook where tenant_id = :tenantId for key share', { tenantId });

/** Writes an event `webhook.test`, which waits for no other. @throws Problem `invalid_state` without a webhook. */
export function insertTestEvent(database: Database, author: Author): Promise<DeliveryRecord> {
  const { tenantId } = author;
  return database.transaction(async (transaction) => {
    if (!(await lockWebhook(transaction, tenantId))) throw noWebhook();
    const event = await firstRow<{ eventId: string }>(
      transaction,
      `select write_outgoing_event(:tenantId, 'test ' || gen_random_uuid(), 'webhook.test',
         jsonb_build_object('tenantId', :tenantId::text), null, null, interval '0') as event_id`,
      { tenantId },
    );
    const written = await firstRow<{ deliveryId: string }>(
      transaction,
      'select delivery_id from delivery where event_id = :eventId',
      { ...event },
    );
    if (!written) throw noWebhook();
    await recordAudit(transaction, author, {
      action: 'webhook.test',
      objectType: 'webhook',
      objectId: tenantId,
      after: written,
    });
    return readDelivery(transaction, written.deliveryId);
  });
}

/** Delivers an event again, now. @throws Problem `not_found`, `invalid_state` without a webhook. */
export function redeliver(database: Database, author: Author, deliveryId: string): Promise<DeliveryRecord> {
  const { tenantId } = author;
  return database.transaction(async (transaction) => {
    const webhook = await lockWebhook(transaction, tenantId);
    const before = await firstRow<{ status: string; attempts: number }>(
      transaction,
      'select status, attempts from delivery where tenant_id = :tenantId and delivery_id = :deliveryId',
      { tenantId, deliveryId },
    );
    if (!before) throw new Problem('not_found', 'There is no such delivery');
    if (!webhook) throw noWebhook();
    await makeDue(transaction, deliveryId);
    await recordAudit(transaction, author, {
      action: 'webhook.redeliver',
      objectType: 'webhook',
      objectId: tenantId,
      before: { deliveryId, ...before },
      after: { status: 'pending' },
    });
    return readDelivery(transaction, deliveryId);
  });
}
