import { rows, type Transaction } from '../../database.ts';

/** A send is split into sub-tasks of at most this many contacts, the maximum for one broadcast task (S0, Limits). */
export const CONTACTS_PER_SUB_TASK = 1000;

/** Every contact of `resolved` with the number of its sub-task: `contact_id`, `class`, `chunk`. */
export const resolvedChunks = `
  select contact_id, class, (row_number() over (partition by class order by contact_id) - 1) / :size::int as chunk
  from resolved`;

const insertRecipients = `
  insert into dispatch_recipient (dispatch_id, contact_id, chunk)
  select :dispatchId, contact_id, chunk from (${resolvedChunks}) reached where class = 'reachable' order by contact_id`;

// Computed from the number of contacts alone: every chunk is full except the last.
const insertSubTasks = `
  insert into broadcast_task (key, tenant_id, campaign_id, dispatch_id, chunk, status, contact_count, created_at)
  select gen_random_uuid()::text, :tenantId, :campaignId, :dispatchId, chunk, 'pending',
    least(:size::int, :audienceCount::int - chunk * :size::int), :now::timestamptz
  from generate_series(0, (:audienceCount::int - 1) / :size::int) as chunk`;

/** Splits the reachable contacts of the table `resolved` into the sub-tasks of a send, and stores both. */
export async function splitIntoSubTasks(
  transaction: Transaction,
  send: { tenantId: string; campaignId: string; dispatchId: string; audienceCount: number; now: Date },
): Promise<void> {
  const bindings = { ...send, size: CONTACTS_PER_SUB_TASK };
  await rows(transaction, insertRecipients, bindings);
  await rows(transaction, insertSubTasks, bindings);
}
