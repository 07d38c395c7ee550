import { type Database, rows } from '#db/database.ts';

/**
 * Stores contacts in the snapshots of sends.
 * @param sql returns `dispatch_id`, `contact_id` and `chunk`.
 */
export async function insertRecipients(
  database: Database,
  sql: string,
  bindings: Record<string, unknown> = {},
): Promise<void> {
  await rows(
    database,
    `insert into dispatch_chunk as c (dispatch_id, chunk, contact_ids)
     select dispatch_id, chunk, array_agg(contact_id order by contact_id) from (${sql}) r group by dispatch_id, chunk
     on conflict (dispatch_id, chunk) do update
       set contact_ids = array(select id from unnest(c.contact_ids || excluded.contact_ids) as id order by id)`,
    bindings,
  );
}
