import { fn } from 'objection';
import { uuidv7 } from 'uuidv7';
import type { Pieces } from '#domain/orders/lines.ts';
import { needsApproval, type RefundLimit } from '#domain/orders/administration/approvals.ts';
import type { Database, Transaction } from '#db/database.ts';
import { Approval } from '../models/approvals.ts';
import { Tenant } from '../models/catalogue.ts';
import { Refund } from '../models/refunds.ts';

/** Who asks or decides. */
export interface Staff {
  userId: string;
  name: string;
}

type Request = Pick<Approval, 'tenantId' | 'kind' | 'amountMinor' | 'currency' | 'reason'> &
  Partial<Pick<Approval, 'orderId' | 'eventId' | 'restorePoints' | 'restock' | 'request' | 'requestKey'>>;

async function refundLimit(database: Database, tenantId: string): Promise<RefundLimit> {
  const { refundsNeedApprovalAboveMinor, currency } = await Tenant.query(database).findById(tenantId).throwIfNotFound();
  return { aboveMinor: refundsNeedApprovalAboveMinor, currency };
}

const waiting = (transaction: Transaction) => Approval.query(transaction).where({ status: 'waiting' });

/** What staff refunded of an order without anybody's approval. */
async function refundedAlone(database: Database, orderId: string): Promise<number> {
  const alone = await Refund.query(database)
    .where({ orderId, kind: 'staff', origin: 'service' })
    .whereNull('approvedBy');
  return alone.reduce((sum, { amountMinor }) => sum + (amountMinor ?? 0), 0);
}

/** Whether somebody else has to approve what staff ask for. The caller holds the order's lock. */
export async function awaitsApproval(
  database: Database,
  { tenantId, orderId, amountMinor, currency }: Pick<Request, 'tenantId' | 'orderId' | 'amountMinor' | 'currency'>,
): Promise<boolean> {
  const limit = await refundLimit(database, tenantId);
  if (limit.aboveMinor === null) return false;
  const earlierMinor = orderId ? await refundedAlone(database, orderId) : 0;
  return needsApproval(limit, { amountMinor, currency, earlierMinor });
}

/**
 * Stores that staff ask for it. The caller holds the lock of the order or callback.
 * @returns null if a decision about the same flags or callback waits already.
 */
export async function askForApproval(transaction: Transaction, request: Request, by: Staff): Promise<Approval | null> {
  const { kind, orderId = null, eventId = null } = request;
  const same =
    kind === 'order_refund'
      ? undefined
      : await waiting(transaction).findOne({ kind, ...(eventId === null ? { orderId } : { eventId }) });
  if (same) return null;
  return Approval.query(transaction)
    .insert({ approvalId: uuidv7(), ...request, requestedBy: by.userId, requestedByName: by.name })
    .returning('*');
}

export async function findApproval(database: Database, approvalId: string): Promise<Approval | null> {
  return (await Approval.query(database).findById(approvalId)) ?? null;
}

/** Of one order, oldest first. */
export const approvalsOf = (database: Database, orderId: string): Promise<Approval[]> =>
  Approval.query(database).where({ orderId }).orderBy(['requestedAt', 'approvalId']).execute();

/** What waits for each of these callbacks, by its event. */
export async function approvalsOfCallbacks(
  database: Database,
  eventIds: readonly string[],
): Promise<Map<string | null, Approval>> {
  const found = await Approval.query(database)
    .whereIn('eventId', [...eventIds])
    .where({ status: 'waiting' });
  return new Map(found.map((approval) => [approval.eventId, approval]));
}

const lapsed = () => ({ status: 'lapsed' as const, decidedAt: fn.now() });

/** The flags of an order, or a callback, were decided on: nothing waits for that any more. */
export async function lapseDecided(
  transaction: Transaction,
  of: { kind: 'flag_refund'; orderId: string } | { kind: 'callback_refund'; eventId: string },
): Promise<void> {
  await waiting(transaction).where(of).patch(lapsed());
}

/** The refundable remainder of an order: requests for more, or for all of the former remainder, lapse; lines are no remainder. */
export async function lapseBeyond(transaction: Transaction, orderId: string, leftMinor: number): Promise<void> {
  await waiting(transaction)
    .where({ orderId, kind: 'order_refund' })
    .where((request) =>
      request.where('amountMinor', '>', leftMinor).orWhere((all) =>
        all
          .where('amountMinor', '<>', leftMinor)
          .whereRaw(`request ->> 'lines' is null`)
          .where((part) => part.where('restorePoints', true).orWhere('restock', true)),
      ),
    )
    .patch(lapsed());
}

/** Of an order's requests by line, those lapse whose pieces cannot be refunded any more. */
export async function lapseLines(
  transaction: Transaction,
  orderId: string,
  isOver: (lines: readonly Pieces[], approval: Approval) => boolean,
): Promise<void> {
  const requests = await waiting(transaction).where({ orderId, kind: 'order_refund' });
  for (const approval of requests) {
    const lines = approval.request?.lines;
    if (lines && isOver(lines, approval)) await approval.$query(transaction).patch(lapsed());
  }
}
