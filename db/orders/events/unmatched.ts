import type { ResolveCallback } from '#domain/orders/administration.ts';
import { CHARGE_PAID } from '#domain/orders/event-types.ts';
import { type Database, firstRow, rows, type Transaction } from '#db/database.ts';
import { nearestMinor } from '#domain/orders/money.ts';
import { askForApproval, awaitsApproval, lapseDecided, type Staff } from '../approvals/approvals.ts';
import type { Approval } from '../models/approvals.ts';
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

/** Unresolved callbacks that match no order or have an unknown type, newest first. */
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

/** Who decides on money that fits no order, and who else approved that it goes back. */
interface CallbackDecision {
  callback: UnmatchedCallback;
  note: string;
  by: string;
  approvedBy: string | null;
}

/** Refunds the charge, unless that was decided before. */
async function refund(transaction: Transaction, { callback, note, by, approvedBy }: CallbackDecision): Promise<void> {
  const { chargeId, tenantId } = callback;
  await Refund.query(transaction)
    .insert({
      refundId: chargeId,
      kind: 'unaccepted',
      chargeId,
      orderId: null,
      tenantId,
      status: 'pending',
      requestedBy: by,
      approvedBy,
      reason: note,
    })
    .onConflict('refundId')
    .ignore();
}

const open = `event_id = :eventId and status in ('unmatched', 'ignored') and resolution is null`;

/** @returns false if the callback is matched, or was decided on before. */
async function close(
  transaction: Transaction,
  outcome: ResolveCallback['outcome'],
  decision: CallbackDecision,
): Promise<boolean> {
  const { eventId } = decision.callback;
  const decided = await firstRow(
    transaction,
    `update gateway_event set resolution = :outcome, resolved_by = :by, note = :note, resolved_at = now()
       ${outcome === 'refund' ? ", status = 'refunded'" : ''}
     where ${open} returning 1`,
    { eventId, outcome, by: decision.by, note: decision.note },
  );
  if (!decided) return false;
  await lapseDecided(transaction, { kind: 'callback_refund', eventId });
  if (outcome === 'refund') await refund(transaction, decision);
  return true;
}

/** `rejected`: the callback is matched, another decision was made before, or there is no money to refund. */
export type CallbackDecided = 'decided' | 'waits' | 'rejected';

/** Asks for an approval, if one is needed. @returns null if none is, or the callback is not open. */
async function askFirst(
  transaction: Transaction,
  { tenantId, eventId, amount, currency }: UnmatchedCallback,
  { by, note }: { by: Staff; note: string },
): Promise<{ asked: Approval | null } | null> {
  const money = { tenantId, amountMinor: nearestMinor(amount), currency };
  if (!(await awaitsApproval(transaction, money))) return null;
  if (!(await firstRow(transaction, `select 1 from gateway_event where ${open} for update`, { eventId }))) return null;
  const request = { kind: 'callback_refund' as const, eventId, reason: note, ...money };
  return { asked: await askForApproval(transaction, request, by) };
}

/**
 * Stores the staff's decision, and the refund it asks for, which above the tenant's limit waits for an approval.
 * @param onDecided runs in the same transaction, only if this call decided, or (`approval`) asked for it.
 */
export async function resolveCallback(
  database: Database,
  { callback, body, by }: { callback: UnmatchedCallback; body: ResolveCallback; by: Staff },
  onDecided: (transaction: Transaction, approval: Approval | null) => Promise<void>,
): Promise<CallbackDecided> {
  const { outcome, note } = body;
  if (outcome === 'refund' && callback.type !== CHARGE_PAID) return 'rejected';
  return transact(database, async (transaction): Promise<CallbackDecided> => {
    const first = outcome === 'refund' ? await askFirst(transaction, callback, { by, note }) : null;
    if (first) {
      if (first.asked) await onDecided(transaction, first.asked);
      return 'waits';
    }
    if (!(await close(transaction, outcome, { callback, note, by: by.userId, approvedBy: null }))) {
      const same = await GatewayEvent.query(transaction).findById(callback.eventId).where({ resolution: outcome });
      return same ? 'decided' : 'rejected';
    }
    await onDecided(transaction, null);
    return 'decided';
  });
}

/** Carries out an approved refund. @returns the charge; null if it is no longer possible. */
export async function refundApprovedCallback(
  transaction: Transaction,
  { eventId, tenantId, reason, requestedBy }: Approval,
  approvedBy: string,
): Promise<string | null> {
  if (eventId === null) return null;
  const event = await GatewayEvent.query(transaction).findById(eventId).throwIfNotFound();
  const callback = Object.assign(event, { tenantId });
  const decision = { callback, note: reason ?? '', by: requestedBy, approvedBy };
  return (await close(transaction, 'refund', decision)) ? callback.chargeId : null;
}
