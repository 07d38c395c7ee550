import { type Database, firstRow, rows, type Transaction } from '../database.ts';
import { startedElsewhere } from '../place.ts';

/**
 * How a relay takes deliveries from a schema's tables, and what it writes back. Each schema with events has `webhook`,
 * where a tenant receives them, and `delivery`, what became of each; they agree in the columns that are named here.
 */

/** Binds a sealed secret to its tenant. */
export const secretContext = (tenantId: string): string => `webhook:${tenantId}`;

/** A delivery that this process may attempt until its lease ends. */
export interface ClaimedDelivery {
  deliveryId: string;
  tenantId: string;
  eventId: string;
  body: string;
  url: string;
  /** Each signs the event: two while the first takes the place of the other. */
  sealedSecrets: string[];
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

/** In what a schema's deliveries differ from another's. */
export interface DeliveriesOf {
  /** SQL condition: the delivery, by alias, goes to the webhook `w`. */
  goesTo: (delivery: string) => string;
  /** SQL condition on the webhook `w`: it takes deliveries now. */
  active: string;
  /** SQL condition on a due delivery `d`: nothing that has to be delivered before it is open. */
  mayGo: string;
  /** SQL for the sealed secrets of the webhook `w`, as an array. */
  secrets: string;
  /** SQL: `event_id` and `body`, the text that is signed and sent, of the events `:eventIds`. */
  bodies: string;
}

/**
 * Of each webhook those that are due longest, so that one slow receiver takes up no more than its share; none in a database that
 * was started elsewhere. A claim counts as an attempt from the start: a process that dies leaves its lease to run out.
 */
const claim = ({ goesTo, active, mayGo, secrets }: Omit<DeliveriesOf, 'bodies'>) => `with due as (
    select found.delivery_id, w.url, ${secrets} as sealed_secrets
    from webhook w cross join lateral (
      select d.delivery_id, d.next_attempt_at from delivery d
      where ${goesTo('d')} and d.status = 'pending' and d.next_attempt_at <= now()
        and (d.leased_until is null or d.leased_until <= now()) and ${mayGo}
      order by d.next_attempt_at
      limit greatest(0, :perWebhook - (select count(*) from delivery l
        where ${goesTo('l')} and l.leased_until > now()))
      for update skip locked
    ) found
    where ${active} and not ${startedElsewhere}
    order by found.next_attempt_at limit :room
  )
  update delivery d set attempts = d.attempts + 1, leased_until = now() + :leaseMs * interval '1 millisecond',
    trying_since = coalesce(d.trying_since, now())
  from due
  where d.delivery_id = due.delivery_id
  returning d.delivery_id, d.tenant_id, d.event_id, due.url, to_json(due.sealed_secrets) as sealed_secrets,
    d.attempts as attempt, (extract(epoch from now() - d.trying_since) * 1000)::bigint as elapsed_ms`;

/** Claims due deliveries. Bodies are read after the claim: until then an event may grow. */
export async function claimDeliveries(
  database: Database,
  of: DeliveriesOf,
  limits: ClaimLimits,
): Promise<ClaimedDelivery[]> {
  const claimed = await rows<Omit<ClaimedDelivery, 'body'>>(database, claim(of), { ...limits });
  if (claimed.length === 0) return [];
  const eventIds = claimed.map(({ eventId }) => eventId);
  const found = await rows<{ eventId: string; body: string }>(database, of.bodies, { eventIds });
  const bodies = new Map(found.map(({ eventId, body }) => [eventId, body]));
  return claimed.flatMap((one) => {
    const body = bodies.get(one.eventId);
    return body === undefined ? [] : [{ ...one, body }];
  });
}

/** The last attempt's result, for display. */
export interface AttemptResult {
  status: number | null;
  error: string | null;
}

type Claim = Pick<ClaimedDelivery, 'deliveryId' | 'attempt'>;

const still = `where delivery_id = :deliveryId and attempts = :attempt and status = 'pending'`;

/** Ends a claimed delivery. @returns the id of its event; null if the claim is no longer this one's. */
export async function settleDelivery(
  transaction: Transaction | Database,
  { deliveryId, attempt }: Claim,
  to: 'delivered' | 'failed',
  { status, error }: AttemptResult,
): Promise<string | null> {
  const ended = await firstRow<{ eventId: string }>(
    transaction,
    `update delivery set status = :to, last_status = :status, last_error = :error, next_attempt_at = null,
       leased_until = null, settled_at = coalesce(settled_at, now())
     ${still} returning event_id`,
    { deliveryId, attempt, to, status, error },
  );
  return ended?.eventId ?? null;
}

/** Tries a claimed delivery again after a delay. */
export async function postponeDelivery(
  database: Database,
  { deliveryId, attempt }: Claim,
  delayMs: number,
  { status, error }: AttemptResult,
): Promise<void> {
  await rows(
    database,
    `update delivery set last_status = :status, last_error = :error, leased_until = null,
       next_attempt_at = now() + :delayMs * interval '1 millisecond'
     ${still}`,
    { deliveryId, attempt, delayMs, status, error },
  );
}

/**
 * Makes a delivery due now, whatever became of it. One that waits for the event before it goes on waiting, and one that
 * is under way is not attempted twice at once.
 */
export async function makeDue(transaction: Transaction, deliveryId: string): Promise<void> {
  await rows(
    transaction,
    `update delivery set status = 'pending', trying_since = null,
       next_attempt_at = case when settled_at is not null or next_attempt_at is not null then now() end
     where delivery_id = :deliveryId`,
    { deliveryId },
  );
}
