import type { Resolution } from '../../domain/orders/administration.ts';
import { type Database, firstRow } from '../database.ts';
import { lockOrder } from './payments.ts';
import { transact } from './transaction.ts';

/** What a charge says differently from its order. */
export type FlagCode = 'amount_mismatch' | 'currency_mismatch' | 'shop_mismatch';

export interface Flag {
  code: FlagCode;
  detail: string;
}

/** Sets an order aside for staff: it neither completes nor expires until they decide. */
export async function raiseFlags(database: Database, orderId: string, flags: Flag[]): Promise<void> {
  await transact(database, async (trx) => {
    await lockOrder(trx, orderId);
    for (const flag of flags) {
      await trx.raw(
        `insert into order_flag (order_id, code, detail) values (:orderId, :code, :detail)
         on conflict (order_id, code) do nothing`,
        { orderId, ...flag },
      );
    }
  });
}

/**
 * Records what staff decide about a flagged order; payOrder carries it out. The first decision stands.
 * @returns false where the order has no open flag.
 */
export async function decideFlags(
  database: Database,
  decision: { orderId: string; outcome: Resolution; by: string },
): Promise<boolean> {
  return transact(database, async (trx) => {
    const order = await lockOrder(trx, decision.orderId);
    if (!order || order.flags.length === 0) return false;
    const decided = await firstRow(
      trx,
      'select 1 from order_flag where order_id = :orderId and resolved_at is null and resolution is not null',
      { orderId: decision.orderId },
    );
    if (!decided)
      await trx.raw(
        `update order_flag set resolution = :outcome, resolved_by = :by where order_id = :orderId and resolved_at is null`,
        { ...decision },
      );
    return true;
  });
}
