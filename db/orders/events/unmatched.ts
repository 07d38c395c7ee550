import type { ResolveCallback } from '../../../domain/orders/administration.ts';
import { CHARGE_PAID } from '../../../domain/orders/callback.ts';
import { type Database, firstRow, rows, type Transaction } from '../../database.ts';
import { GatewayEvent } from '../models/events.ts';
import { Refund } from '../models/refunds.ts';
import { transact } from '../transaction.ts';

/** A callback that staff must look at, with the tenant whose shop it names. */
export type UnmatchedCallback = GatewayEvent & { tenantId: string };

/** Where a page begins: after this callback; in microseconds, which a Date would truncate. */
export interface CallbackCursor {
  receivedMicros: number;
  eventId: string;
}

const ofShops = `gateway_event e join tenant t on t.shop_id = e.shop_id
  and (t.tenant_id = :staffTenantId or t.headquarters_tenant_id = :staffTenantId)`;

/** Callbacks that fit no order, or are of a type that we do not know, and that nobody has resolved; newest first. */
export async function unmatchedCallbacks(
  database: Database,
  staffTenantId: string,
  { cursor, limit }: { cursor: CallbackCursor | null; limit: number },
): Promise<{ items: UnmatchedCallback[]; next: CallbackCursor | null }> {
  const after = cursor
    ? `and (e.received_at, e.event_id) < (timestamptz 'epoch' + :micros * interval '1 microsecond', :eventId)`
    : '';
  const found = await rows<UnmatchedCallback & { micros: number }>(
    database,
    `select e.*, t.tenant_id, (extract(epoch from e.received_at) * 1000000)::bigint as micros from ${ofShops}
     where e.status in ('unmatched', 'ignored') and e.resolution is null ${after}
     order by e.received_at desc, e.event_id desc limit :limit`,
    {
      staffTenantId,
      limit: limit + 1,
      ...(cursor ? { micros: cursor.receivedMicros, eventId: cursor.eventId } : {}),
    },
  );
  const items = found.slice(0, limit);
  const last = found.length > limit ? items.at(-1) : undefined;
  return { items, next: last ? { receivedMicros: last.micros, eventId: last.eventId } : null };
}

/** The callback, if its shop is of a tenant in reach. */
export async function findCallback(
  database: Database,
  key: { staffTenantId: string; eventId: string },
): Promise<UnmatchedCallback | null> {
  return firstRow(database, `select e.*, t.tenant_id from ${ofShops} where e.event_id = :eventId`, key);
}

/** Refunds the charge, unless that was decided before. */
async function refund(transaction: Transaction, { chargeId, tenantId }: UnmatchedCallback, by: string, note: string) {
  await Refund.query(transaction)
    .insert({
      refundId: chargeId,
      kind: 'unaccepted',
      chargeId,
      orderId: null,
      tenantId,
      status: 'pending',
      requestedBy: by,
      reason: note,
    })
    .onConflict('refundId')
    .ignore();
}

/**
 * Stores the staff's decision, and the refund it asks for.
 * @param onDecided runs in the same transaction, only if this call decided.
 * @returns false if the callback is matched, another decision was made before, or there is no money to refund.
 */
export async function resolveCallback(
  database: Database,
  { callback, body, by }: { callback: UnmatchedCallback; body: ResolveCallback; by: string },
  onDecided: (transaction: Transaction) => Promise<void>,
): Promise<boolean> {
  const { outcome, note } = body;
  if (outcome === 'refund' && callback.type !== CHARGE_PAID) return false;
  return transact(database, async (transaction) => {
    const { eventId } = callback;
    const decided = await firstRow(
      transaction,
      `update gateway_event set resolution = :outcome, resolved_by = :by, note = :note, resolved_at = now()
         ${outcome === 'refund' ? ", status = 'refunded'" : ''}
       where event_id = :eventId and status in ('unmatched', 'ignored') and resolution is null returning 1`,
      { eventId, outcome, by, note },
    );
    if (!decided) {
      const same = await GatewayEvent.query(transaction).findById(eventId).where({ resolution: outcome });
      return same !== undefined;
    }
    if (outcome === 'refund') await refund(transaction, callback, by, note);
    await onDecided(transaction);
    return true;
  });
}
