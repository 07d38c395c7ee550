import { rows, type Transaction } from '#db/database.ts';

/**
 * SQL condition on a `dispatch_chunk`, by alias: it has the contact. Its bounds are in an index, so that hardly any list
 * is read that does not have it.
 */
export const hasContact = (chunk: string, contact: string): string =>
  `${chunk}.first_id <= ${contact} and ${chunk}.last_id >= ${contact} and ${contact} = any(${chunk}.contact_ids)`;

/** SQL condition on two of them: they may have contacts in common. */
export const mayShare = (one: string, other: string): string =>
  `${one}.first_id <= ${other}.last_id and ${one}.last_id >= ${other}.first_id`;

interface Move {
  dispatchId: string;
  /** Numbers of sub-tasks; the one that is moved to is new. */
  from: number;
  to: number;
}

/** SQL that returns ids: those which stay, or those which move. Some of the sub-task's contacts are among them, not all. */
type Part = ({ stay: string } | { move: string }) & { bindings: Record<string, unknown> };

/**
 * Moves contacts of a sub-task to a new one of the same send. Its list is locked first: who renames a contact in it
 * (an erasure) finds the contact in one of the two.
 */
export async function moveContacts(
  transaction: Transaction,
  { dispatchId, from, to }: Move,
  part: Part,
): Promise<void> {
  const place = { dispatchId, from, to };
  await rows(
    transaction,
    'select 1 from dispatch_chunk where dispatch_id = :dispatchId and chunk = :from for update',
    place,
  );
  const moves = 'move' in part ? `id in (${part.move})` : `id not in (${part.stay})`;
  await rows(
    transaction,
    `with parts as (
       select array_agg(id order by id) filter (where ${moves}) as moved,
         array_agg(id order by id) filter (where not ${moves}) as kept
       from dispatch_chunk c cross join unnest(c.contact_ids) as id
       where c.dispatch_id = :dispatchId and c.chunk = :from
     ), added as (
       insert into dispatch_chunk (dispatch_id, chunk, contact_ids)
       select :dispatchId, :to::int, moved from parts
     )
     update dispatch_chunk c set contact_ids = parts.kept from parts
     where c.dispatch_id = :dispatchId and c.chunk = :from`,
    { ...place, ...part.bindings },
  );
}
