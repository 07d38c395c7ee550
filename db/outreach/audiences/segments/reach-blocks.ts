import { PSEUDONYM_PATTERN } from '#domain/contacts/pseudonym.ts';
import { type Database, firstRow, rows, type Transaction } from '#db/database.ts';
import { isLocked } from '#db/errors.ts';
import { wasDelivered } from '#db/outreach/sends/ledger/conditions.ts';
import { BITS_OF_A_BLOCK } from '../tag-blocks.ts';

const MINUTE_MS = 60_000;

/** Delivery results change sub-task by sub-task: the set is not rebuilt each time. */
const AGAIN_AFTER_MS = 5 * MINUTE_MS;

/** A contact without a profile is being erased. */
const STRANGERS_AFTER_MS = 10 * MINUTE_MS;

/**
 * Large sends without a set of the contacts that they reached, of which nothing is under way, the longest due first. A
 * sub-task that is unknown may stay that for good.
 */
export async function sendsWithoutReach(
  database: Database,
  { now, limit }: { now: Date; limit: number },
): Promise<string[]> {
  const found = await rows<{ dispatchId: string }>(
    database,
    `select r.dispatch_id from dispatch_reach r
     where r.built_at is null and r.due_at <= :now and not exists (
       select 1 from broadcast_task t where t.campaign_id = r.campaign_id and t.dispatch_id = r.dispatch_id
         and t.status in ('pending', 'submitting', 'scheduled', 'sending'))
     order by r.due_at limit :limit`,
    { now, limit },
  );
  return found.map(({ dispatchId }) => dispatchId);
}

interface Claimed {
  tenantId: string;
  serviceNumberId: string;
}

const claim = `
  select tenant_id, service_number_id from dispatch_reach
  where dispatch_id = :dispatchId and built_at is null for update skip locked`;

/**
 * A build waits for nobody. Whoever changes one of the sub-tasks waits for it, and finds the set built. Their lists change
 * only where nothing was delivered, and where somebody is erased, whose bit is nobody's from then on.
 */
const lock = 'select 1 from broadcast_task where dispatch_id = :dispatchId for share nowait';

// Looked up one by one: right after a send the planner knows nothing of its size.
const fillBlocks = `
  with reached as materialized (
    select r.contact_id, p.ordinal
    from broadcast_task t
    join dispatch_chunk c on c.dispatch_id = t.dispatch_id and c.chunk = t.chunk
    cross join lateral unnest(c.contact_ids) as r (contact_id)
    left join lateral (
      select ordinal from contact_profile where tenant_id = :tenantId and service_number_id = :serviceNumberId
        and contact_id = r.contact_id limit 1) p on true
    where t.dispatch_id = :dispatchId and ${wasDelivered}),
  filled as (
    insert into reach_block (dispatch_id, block, contacts)
    select :dispatchId, ordinal / ${BITS_OF_A_BLOCK} as block,
      bit_or(set_bit(0::bit(${BITS_OF_A_BLOCK}), ordinal % ${BITS_OF_A_BLOCK}, 1))
    from reached where ordinal is not null group by 2)
  select count(*) as strangers from reached where ordinal is null and contact_id not like '${PSEUDONYM_PATTERN}'`;

const finish = `
  update dispatch_reach d set built_at = :now, due_at = :again, first_finished_at = t.first, last_finished_at = t.last
  from (select case when count(*) = count(finished_at) then min(finished_at) end as first, max(finished_at) as last
    from broadcast_task t where t.dispatch_id = :dispatchId and ${wasDelivered}) t
  where d.dispatch_id = :dispatchId`;

const giveUp = 'update dispatch_reach set due_at = :again where dispatch_id = :dispatchId';

const dropBlocks = 'delete from reach_block where dispatch_id = :dispatchId';

async function build(transaction: Transaction, dispatchId: string, now: Date): Promise<boolean> {
  const send = await firstRow<Claimed>(transaction, claim, { dispatchId });
  if (!send) return false;
  await rows(transaction, lock, { dispatchId });
  await rows(transaction, dropBlocks, { dispatchId });
  const filled = await firstRow<{ strangers: number }>(transaction, fillBlocks, { dispatchId, ...send });
  const isWhole = filled?.strangers === 0;
  if (!isWhole) await rows(transaction, dropBlocks, { dispatchId });
  const again = new Date(now.getTime() + (isWhole ? AGAIN_AFTER_MS : STRANGERS_AFTER_MS));
  await rows(transaction, isWhole ? finish : giveUp, isWhole ? { dispatchId, now, again } : { dispatchId, again });
  return isWhole;
}

/**
 * Builds the set of the contacts that a large send reached, in one transaction: 4 s for a million contacts, for which its
 * sub-tasks stay as they are.
 * @returns false if another process does that, one of its sub-tasks is just changing, or somebody in it has no profile,
 * and so no bit.
 */
export async function buildReach(database: Database, dispatchId: string, now: Date): Promise<boolean> {
  try {
    return await database.transaction((transaction) => build(transaction, dispatchId, now));
  } catch (error) {
    if (isLocked(error)) return false;
    throw error;
  }
}
