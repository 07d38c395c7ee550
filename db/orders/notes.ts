import { uuidv7 } from 'uuidv7';
import type { Database, Transaction } from '../database.ts';
import { OrderNote } from './models/orders.ts';
import { transact } from './transaction.ts';

/** The newest notes of an order that staff are shown. */
const SHOWN = 200;

/** @param onWritten runs in the same transaction. */
export async function addNote(
  database: Database,
  note: Pick<OrderNote, 'orderId' | 'author' | 'authorName' | 'body'>,
  onWritten: (transaction: Transaction) => Promise<void>,
): Promise<void> {
  await transact(database, async (transaction) => {
    await OrderNote.query(transaction).insert({ noteId: uuidv7(), ...note });
    await onWritten(transaction);
  });
}

/** Newest first. */
export const notesOf = (database: Database, orderId: string): Promise<OrderNote[]> =>
  OrderNote.query(database).where({ orderId }).orderBy('noteId', 'desc').limit(SHOWN).execute();
