import { CASES } from '#domain/campaigns/cases/limits.ts';
import { ARMS, REST_ARM } from '#domain/campaigns/variants/variants.ts';
import { firstRow, rows, type Transaction } from '#db/database.ts';
import type { SplitSend } from '../splitting.ts';

/** Contacts of each arm: of each variant, and at last of the rest; or of each case, and at last of whoever is in none. */
export type ArmCounts = number[];

/** By what a send is divided, and into how many arms at most. */
const arms = { variants: ARMS, cases: CASES + 1 };
export type Division = keyof typeof arms;

/** By what a campaign's sends are divided; null: not at all. */
export function divisionOf(campaign: { variants: unknown; messagesBy: unknown }): Division | null {
  if (campaign.variants !== null) return 'variants';
  return campaign.messagesBy === null ? null : 'cases';
}

const divisionInto = (counts: ArmCounts): Division => (counts.length === ARMS ? 'variants' : 'cases');

const none = (division: Division): ArmCounts => Array.from({ length: arms[division] }, () => 0);

/** SQL: the number of the sub-task with these numbers: each of so many arms has its own, and none is given twice. */
const numberOf = (sequence: string, arm: string, division: Division) => `${sequence} * ${arms[division]} + ${arm}`;

/** SQL: every reachable contact of `resolved` with the number of its sub-task. `:before` are the counts of the arms before. */
export const chunksByArm = (division: Division) => `
  select contact_id, class, ${numberOf(
    `((:before::int[])[arm + 1] + row_number() over (partition by arm order by contact_id) - 1) / :size::int`,
    'arm',
    division,
  )} as chunk
  from resolved where class = 'reachable'`;

/** SQL: the same for a rehearsal, with those who are not reachable, who are in no arm. */
export const partsByArm = (division: Division) => `
  select contact_id, class, ${numberOf('sequence', 'arm', division)} as chunk from (
    select contact_id, class, arm, (row_number() over (partition by arm order by contact_id) - 1) / :size::int as sequence
    from resolved where class = 'reachable') drawn
  union all
  select contact_id, class, (row_number() over (partition by class order by contact_id) - 1) / :size::int
  from resolved where class <> 'reachable'`;

const countArms = `select arm, count(*) as contacts from resolved where class = 'reachable' group by arm`;

/** How many contacts of each arm the table `resolved` has. */
export async function armsResolved(transaction: Transaction, division: Division): Promise<ArmCounts> {
  const counts = none(division);
  for (const { arm, contacts } of await rows<{ arm: number; contacts: number }>(transaction, countArms, {}))
    counts[arm] = contacts;
  return counts;
}

const insertRecipients = (division: Division) => `
  insert into dispatch_chunk as c (dispatch_id, chunk, contact_ids)
  select :dispatchId, chunk, array_agg(contact_id order by contact_id) from (${chunksByArm(division)}) reached group by chunk
  on conflict (dispatch_id, chunk) do update
    set contact_ids = array(select id from unnest(c.contact_ids || excluded.contact_ids) as id order by id)`;

/** Whose messages a sub-task of an arm has: those of the rest have what was chosen, or wait until something is. */
const variantOf = (arm: string) => `case when ${arm} < ${REST_ARM} then ${arm} else
  (select chosen from variant_test where campaign_id = :campaignId) end`;

/** What a sub-task has of its arm: `arm`, `variant`, `message_case`. */
const columnsOf: Record<Division, string> = {
  variants: `arm, ${variantOf('arm')}, null`,
  cases: 'null, null, arm',
};

const insertSubTasks = (division: Division) => `
  insert into broadcast_task (key, tenant_id, campaign_id, dispatch_id, chunk, arm, variant, message_case, status, contact_count,
    created_at)
  select gen_random_uuid()::text, :tenantId, :campaignId, :dispatchId, ${numberOf('sequence', 'arm', division)},
    ${columnsOf[division]}, :status, least(:size::int, total - sequence * :size::int), :now::timestamptz
  from (select ordinality::int - 1 as arm, before, total
      from unnest(:before::int[], :total::int[]) with ordinality as counts (before, total)) arms
    cross join lateral generate_series(before / :size::int,
      case when :complete then (total + :size::int - 1) / :size::int else total / :size::int end - 1) as sequence
  returning chunk`;

interface AddedToArms {
  before: ArmCounts;
  total: ArmCounts;
  complete: boolean;
  now: Date;
}

async function insertByArm(
  transaction: Transaction,
  { subTaskSize: size, ...send }: SplitSend,
  added: AddedToArms & { status: 'pending' | 'cancelled' },
): Promise<number[]> {
  const sql = insertSubTasks(divisionInto(added.total));
  const inserted = await rows<{ chunk: number }>(transaction, sql, { ...send, ...added, size });
  return inserted.map(({ chunk }) => chunk);
}

/**
 * Adds the reachable contacts of the table `resolved` to the snapshot of a send, each to sub-tasks of its arm, and stores those
 * that are full now. The rest of each waits for more, unless the audience is `complete`.
 * @returns the numbers of the new sub-tasks.
 */
export async function addToArms(transaction: Transaction, send: SplitSend, added: AddedToArms): Promise<number[]> {
  const { dispatchId, subTaskSize: size } = send;
  await rows(transaction, insertRecipients(divisionInto(added.total)), { dispatchId, before: added.before, size });
  return insertByArm(transaction, send, { ...added, status: 'pending' });
}

/** Capacity of each arm's sub-tasks so far: a retry does not fill existing ones. */
export async function filledArms(
  transaction: Transaction,
  { dispatchId, subTaskSize }: SplitSend,
  division: Division,
): Promise<ArmCounts> {
  const row = await firstRow<{ next: number }>(
    transaction,
    `select coalesce(max(chunk) / ${arms[division]} + 1, 0) as next from broadcast_task where dispatch_id = :dispatchId`,
    { dispatchId },
  );
  return none(division).map(() => (row?.next ?? 0) * subTaskSize);
}

const insertUnread = `
  insert into broadcast_task (key, tenant_id, campaign_id, dispatch_id, chunk, status, contact_count, created_at)
  select gen_random_uuid()::text, :tenantId, :campaignId, :dispatchId,
    (select coalesce(max(chunk), -1) from broadcast_task where dispatch_id = :dispatchId) + 1 + sequence,
    'cancelled', least(:size::int, :contacts::int - sequence * :size::int), :now::timestamptz
  from generate_series(0, (:contacts::int + :size::int - 1) / :size::int - 1) as sequence`;

/** Counts as cancelled who is in no sub-task yet: first whoever has been drawn for an arm, then so many `unread` contacts. */
export async function cancelArms(
  transaction: Transaction,
  send: SplitSend,
  { frozen, unread, now }: { frozen: ArmCounts; unread: number; now: Date },
): Promise<void> {
  await insertByArm(transaction, send, { before: frozen, total: frozen, complete: true, now, status: 'cancelled' });
  const { subTaskSize: size, ...keys } = send;
  if (unread > 0) await rows(transaction, insertUnread, { ...keys, size, contacts: unread, now });
}
