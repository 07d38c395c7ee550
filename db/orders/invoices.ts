import { isDeepStrictEqual } from 'node:util';
import { type ChangeInvoice, changedInvoice, type Invoice, type InvoiceChange } from '#domain/orders/invoice.ts';
import { orderStatus } from '#domain/orders/states.ts';
import type { Database, Transaction } from '../database.ts';
import { OrderInvoice } from './models/orders.ts';
import { lockOrder } from './payments.ts';
import { transact } from './transaction.ts';

/** What a provider issued for an order; null if nothing is known of it. */
export async function findInvoice(database: Database, orderId: string): Promise<Invoice | null> {
  const row = await OrderInvoice.query(database).findById(orderId);
  return row ? { number: row.number, issuedAt: row.issuedAt, voidedAt: row.voidedAt } : null;
}

/**
 * Stores what staff know about the invoice of an order.
 * @param onChanged runs in the same transaction, only if that differs from what is stored.
 */
export async function changeInvoice(
  database: Database,
  { orderId, change }: { orderId: string; change: ChangeInvoice },
  onChanged: (transaction: Transaction, before: Invoice | null, after: Invoice) => Promise<void>,
): Promise<InvoiceChange | { kind: 'not_done' }> {
  return transact(database, async (transaction) => {
    const order = await lockOrder(transaction, orderId);
    if (order?.orderStatus !== orderStatus.DONE) return { kind: 'not_done' };
    const before = await findInvoice(transaction, orderId);
    const changed = changedInvoice(before, change);
    if (changed.kind !== 'changed' || isDeepStrictEqual(changed.invoice, before)) return changed;
    await OrderInvoice.query(transaction)
      .insert({ orderId, ...changed.invoice })
      .onConflict('orderId')
      .merge();
    await onChanged(transaction, before, changed.invoice);
    return changed;
  });
}
