import { MOST_CONTACTS_PER_SUB_TASK } from '#domain/campaigns/pace/pace.ts';
import { rows, type Transaction } from '#db/database.ts';

/** Contacts of a sub-task at most, unless its send has a slow pace. */
export const CONTACTS_PER_SUB_TASK = MOST_CONTACTS_PER_SUB_TASK;

/** Every contact of `resolved` with the number of its sub-task: `contact_id`, `class`, `chunk`. */
export const resolvedChunks = `
  select contact_id, class,
    (:before::int + row_number() over (partition by class order by contact_id) - 1) / :size::int as chunk
  from resolved`;

// The last sub-task of the page before may not have been full.
const insertRecipients = `
  insert into dispatch_chunk as c (dispatch_id, chunk, contact_ids)
  select :dispatchId, chunk, array_agg(contact_id order by contact_id)
  from (${resolvedChunks}) reached where class = 'reachable' group by chunk
  on conflict (dispatch_id, chunk) do update
    set contact_ids = array(select id from unnest(c.contact_ids || excluded.contact_ids) as id order by id)`;

const insertSubTasks = `
  insert into broadcast_task (key, tenant_id, campaign_id, dispatch_id, chunk, status, contact_count, created_at)
  select gen_random_uuid()::text, :tenantId, :campaignId, :dispatchId, chunk, :status,
    least(:size::int, :total::int - chunk * :size::int), :now::timestamptz
  from generate_series(:from::int, :to::int) as chunk returning chunk`;

export interface SplitSend {
  tenantId: string;
  campaignId: string;
  dispatchId: string;
  /** Contacts of a sub-task at most. */
  subTaskSize: number;
}

/** Contacts that are added to a send: those `before` are in it already, which makes `total` in the end. */
export interface AddedContacts {
  before: number;
  total: number;
  now: Date;
}

/**
 * Stores the sub-tasks that `total` contacts fill, and the last one, which they may not, only if it is `complete`.
 * @returns their numbers.
 */
export async function insertChunks(
  transaction: Transaction,
  { subTaskSize: size, ...send }: SplitSend,
  { before, total, now, complete, status }: AddedContacts & { complete: boolean; status: 'pending' | 'cancelled' },
): Promise<number[]> {
  const from = Math.floor(before / size);
  const to = (complete ? Math.ceil(total / size) : Math.floor(total / size)) - 1;
  if (to < from) return [];
  const inserted = await rows<{ chunk: number }>(transaction, insertSubTasks, {
    ...send,
    from,
    to,
    total,
    now,
    size,
    status,
  });
  return inserted.map(({ chunk }) => chunk);
}

/**
 * Adds the reachable contacts of the table `resolved` to the snapshot of a send, and stores the sub-tasks that are full
 * now. The rest waits for more, unless the audience is `complete`.
 */
export async function addToSend(
  transaction: Transaction,
  send: SplitSend,
  added: AddedContacts & { complete: boolean },
): Promise<number[]> {
  const { dispatchId, subTaskSize } = send;
  await rows(transaction, insertRecipients, { dispatchId, before: added.before, size: subTaskSize });
  return insertChunks(transaction, send, { ...added, status: 'pending' });
}
