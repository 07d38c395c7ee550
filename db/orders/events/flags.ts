import type { Resolution } from '../../../domain/orders/administration.ts';
import type { Database } from '../../database.ts';
import { recordFlagged } from '../merchant-events/events.ts';
import { type FlagCode, OrderFlag } from '../models.ts';
import { lockOrder } from '../payments.ts';
import { transact } from '../transaction.ts';

export interface Flag {
  code: FlagCode;
  /** What was agreed, as text. */
  expected: string;
  /** What the gateway reports instead, as text. */
  reported: string;
}

/** Sets an order aside for staff: it neither completes nor expires until they decide. */
export async function raiseFlags(database: Database, orderId: string, flags: Flag[]): Promise<void> {
  await transact(database, async (transaction) => {
    const before = await lockOrder(transaction, orderId);
    for (const flag of flags) {
      await OrderFlag.query(transaction)
        .insert({ orderId, ...flag })
        .onConflict(['orderId', 'code'])
        .ignore();
    }
    await recordFlagged(transaction, before);
  });
}

/**
 * Records the staff's decision about a flagged order; payOrder carries it out. The first decision stands.
 * @returns false if the order has no open flag.
 */
export async function decideFlags(
  database: Database,
  decision: { orderId: string; outcome: Resolution; by: string },
): Promise<boolean> {
  return transact(database, async (transaction) => {
    const order = await lockOrder(transaction, decision.orderId);
    if (!order || order.flags.length === 0) return false;
    const open = await OrderFlag.query(transaction).where({ orderId: decision.orderId }).whereNull('resolvedAt');
    if (open.every(({ resolution }) => resolution === null))
      await OrderFlag.query(transaction)
        .where({ orderId: decision.orderId })
        .whereNull('resolvedAt')
        .patch({ resolution: decision.outcome, resolvedBy: decision.by });
    return true;
  });
}
