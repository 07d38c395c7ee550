import { randomUUID } from 'node:crypto';
import { type Database, rows } from '#db/database.ts';

/** A UUIDv7 of a moment. */
function idAt(at: Date): string {
  const hex = at.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7${randomUUID().slice(15)}`;
}

/** Moves a send to an earlier moment, with its sub-tasks and recipients. @returns its new id. */
export async function moveSend(database: Database, dispatchId: string, at: Date): Promise<string> {
  const moved = idAt(at);
  await database.transaction(async (transaction) => {
    const both = { dispatchId, moved, at };
    await rows(
      transaction,
      `insert into dispatch select (d).* from (select jsonb_populate_record(x, jsonb_build_object(
         'dispatch_id', :moved::text, 'number', -x.number, 'created_at', :at::timestamptz)) as d
       from dispatch x where dispatch_id = :dispatchId) copied`,
      both,
    );
    for (const table of ['broadcast_task', 'dispatch_chunk', 'dispatch_control'])
      await rows(transaction, `update ${table} set dispatch_id = :moved where dispatch_id = :dispatchId`, both);
    await rows(transaction, 'delete from dispatch where dispatch_id = :dispatchId', both);
    await rows(transaction, 'update dispatch set number = -number where dispatch_id = :moved', both);
  });
  return moved;
}
