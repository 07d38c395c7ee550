import type { Minor } from '#domain/orders/money.ts';
import { type Database, firstRow, rows } from '#db/database.ts';
import { Dispute, DisputeNote } from '../models/disputes.ts';

/** A dispute with its order's number and its notes, newest first. */
export type NotedDispute = Dispute & { orderNo: string; notes: DisputeNote[] };

export async function withNotes<Row extends Dispute>(
  database: Database,
  disputes: Row[],
): Promise<(Row & { notes: DisputeNote[] })[]> {
  const ids = disputes.map(({ disputeId }) => disputeId);
  const notes = await DisputeNote.query(database).whereIn('disputeId', ids).orderBy('noteId', 'desc');
  const of = (disputeId: string) => notes.filter((note) => note.disputeId === disputeId);
  return disputes.map((dispute) => ({ ...dispute, notes: of(dispute.disputeId) }));
}

const withOrder = `select d.*, o.order_no from dispute d join customer_order o using (order_id)`;

/** Of one order, newest first. */
export const disputesOf = async (database: Database, orderId: string): Promise<NotedDispute[]> =>
  withNotes(
    database,
    await rows<Dispute & { orderNo: string }>(
      database,
      `${withOrder} where order_id = :orderId order by d.opened_at desc, d.dispute_id desc`,
      { orderId },
    ),
  );

/** Null if there is none. */
export async function findDispute(database: Database, disputeId: string): Promise<NotedDispute | null> {
  const found = await rows<Dispute & { orderNo: string }>(database, `${withOrder} where dispute_id = :disputeId`, {
    disputeId,
  });
  return (await withNotes(database, found))[0] ?? null;
}

/** The charge of a dispute; null if there is none. */
export async function findDisputedCharge(database: Database, disputeId: string): Promise<string | null> {
  return (await Dispute.query(database).findById(disputeId))?.chargeId ?? null;
}

/** What of a charge was claimed in disputes that are lost. */
export async function lostInDisputes(database: Database, chargeId: string): Promise<Minor> {
  const lost = await firstRow<{ minor: number }>(
    database,
    `select coalesce(sum(amount_minor), 0)::bigint as minor from dispute where charge_id = :chargeId and status = 'lost'`,
    { chargeId },
  );
  return lost?.minor ?? 0;
}
