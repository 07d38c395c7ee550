import { type Database, firstRow, rows } from '../../database.ts';
import { transact } from '../transaction.ts';

/** How the relay takes deliveries from the table, and what it writes back. */

/** A delivery that this process may attempt until its lease ends. */
export interface ClaimedDelivery {
  deliveryId: string;
  tenantId: string;
  eventId: string;
  body: string;
  url: string;
  sealedSecret: string;
  /** Identifies the claim: an outcome is only stored while the delivery has the same number. */
  attempt: number;
  /** Milliseconds since the first attempt; 0 for the first. */
  elapsedMs: number;
}

export interface ClaimLimits {
  /** How many to claim at most. */
  room: number;
  /** How many of one webhook may be under way, in all processes. */
  perWebhook: number;
  /** Longer than any attempt takes; afterwards another process may try. */
  leaseMs: number;
}

/**
 * Of each webhook those that are due longest, so that one slow receiver takes up no more than its share. A claim counts
 * as an attempt from the start: a process that dies leaves its lease to run out.
 */
const claim = `with due as (
    select found.delivery_id, w.url, w.sealed_secret
    from webhook w cross join lateral (
      select d.delivery_id, d.next_attempt_at from delivery d
      where d.tenant_id = w.tenant_id and d.status = 'pending' and d.next_attempt_at <= now()
        and (d.leased_until is null or d.leased_until <= now())
      order by d.next_attempt_at
      limit greatest(0, :perWebhook - (select count(*) from delivery l
        where l.tenant_id = w.tenant_id and l.leased_until > now()))
      for update skip locked
    ) found
    order by found.next_attempt_at limit :room
  )
  update delivery d set attempts = d.attempts + 1, leased_until = now() + :leaseMs * interval '1 millisecond',
    trying_since = coalesce(d.trying_since, now())
  from due, merchant_event e
  where d.delivery_id = due.delivery_id and e.event_id = d.event_id
  returning d.delivery_id, d.tenant_id, d.event_id, e.body, due.url, due.sealed_secret, d.attempts as attempt,
    (extract(epoch from now() - d.trying_since) * 1000)::bigint as elapsed_ms`;

export async function claimDeliveries(database: Database, limits: ClaimLimits): Promise<ClaimedDelivery[]> {
  return rows(database, claim, { ...limits });
}

/** The last attempt's result, as it is shown. */
export interface AttemptResult {
  status: number | null;
  error: string | null;
}

type Claim = Pick<ClaimedDelivery, 'deliveryId' | 'attempt'>;

const still = `where delivery_id = :deliveryId and attempts = :attempt and status = 'pending'`;

/**
 * Ends a claimed delivery, and makes the next event of its order due. Two statements, because only a second one sees an
 * event that was written while the first waited for its transaction.
 */
export async function endDelivery(
  database: Database,
  { deliveryId, attempt }: Claim,
  to: 'delivered' | 'failed',
  { status, error }: AttemptResult,
): Promise<void> {
  await transact(database, async (transaction) => {
    const ended = await firstRow<{ eventId: string }>(
      transaction,
      `update delivery set status = :to, last_status = :status, last_error = :error, next_attempt_at = null,
         leased_until = null, settled_at = coalesce(settled_at, now())
       ${still} returning event_id`,
      { deliveryId, attempt, to, status, error },
    );
    if (!ended) return;
    await transaction.raw(
      `update delivery d set next_attempt_at = now()
       from merchant_event e join merchant_event next on next.order_id = e.order_id and next.sequence = e.sequence + 1
       where e.event_id = :eventId and d.event_id = next.event_id and d.settled_at is null
         and d.status = 'pending' and d.next_attempt_at is null`,
      { eventId: ended.eventId },
    );
  });
}

/** Tries a claimed delivery again after a delay. */
export async function postponeDelivery(
  database: Database,
  { deliveryId, attempt }: Claim,
  delayMs: number,
  { status, error }: AttemptResult,
): Promise<void> {
  await database.raw(
    `update delivery set last_status = :status, last_error = :error, leased_until = null,
       next_attempt_at = now() + :delayMs * interval '1 millisecond'
     ${still}`,
    { deliveryId, attempt, delayMs, status, error },
  );
}
