import { uuidv7 } from 'uuidv7';
import type { Database, Transaction } from '#db/database.ts';
import { Dispute, DisputeNote } from '../models/disputes.ts';
import { transact } from '../transaction.ts';

/** Staff have seen to the dispute. @param onWritten runs in the same transaction. */
export async function addDisputeNote(
  database: Database,
  note: Pick<DisputeNote, 'disputeId' | 'author' | 'authorName' | 'body'>,
  onWritten: (transaction: Transaction) => Promise<void>,
): Promise<void> {
  await transact(database, async (transaction) => {
    await DisputeNote.query(transaction).insert({ noteId: uuidv7(), ...note });
    await Dispute.query(transaction).findById(note.disputeId).where({ needsStaff: true }).patch({ needsStaff: false });
    await onWritten(transaction);
  });
}
