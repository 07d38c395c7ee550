import type { Encryption } from '#db/encryption.ts';
import { type Database, firstRow, rows } from '#db/database.ts';
import { fn } from 'objection';
import { type Author, recordAudit } from '../audit.ts';
import { Webhook } from '../models/merchant-events.ts';
import { secretContext } from '#db/webhooks/claims.ts';
import { transact } from '../transaction.ts';

export async function findWebhook(database: Database, tenantId: string): Promise<Webhook | null> {
  return (await Webhook.query(database).findById(tenantId)) ?? null;
}

export interface NewWebhook {
  tenantId: string;
  url: string;
  /** `whsec_…` */
  secret: string;
}

/** Creates or replaces a tenant's webhook. */
export async function putWebhook(
  database: Database,
  encryption: Encryption,
  { webhook: { tenantId, url, secret }, author }: { webhook: NewWebhook; author: Author },
): Promise<Webhook> {
  return transact(database, async (transaction) => {
    const before = await Webhook.query(transaction).findById(tenantId).forUpdate();
    const sealedSecret = encryption.encrypt(secret, secretContext(tenantId));
    await Webhook.query(transaction)
      .insert({ tenantId, url, sealedSecret, updatedAt: fn.now() })
      .onConflict('tenantId')
      .merge();
    await recordAudit(transaction, {
      tenantId,
      author,
      action: 'webhook.put',
      subject: { type: 'webhook', id: tenantId },
      before: before ? { url: before.url } : null,
      after: { url },
    });
    return Webhook.query(transaction).findById(tenantId).throwIfNotFound();
  });
}

const GIVEN_UP_AT_ONCE = 1000;

/**
 * Gives up what is open, oldest first per order: a delivery that ends locks in the same order (its own row, then that
 * of the event after it).
 */
const giveUp = `with open as materialized (
    select d.delivery_id from webhook_removal r join delivery d using (tenant_id) join merchant_event e using (event_id)
    where r.tenant_id = :tenantId and d.status = 'pending' and d.created_at <= r.until
    order by e.order_id, e.sequence limit ${GIVEN_UP_AT_ONCE} for update of d
  )
  update delivery d set status = 'failed', next_attempt_at = null, leased_until = null,
    settled_at = coalesce(settled_at, now()), last_error = 'the webhook was removed'
  from open where d.delivery_id = open.delivery_id returning 1`;

/** Gives up the deliveries of a removed webhook, in steps: orders of the tenant wait for none of them. */
async function giveUpRemoved(database: Database, { tenantId, until }: { tenantId: string; until: Date }) {
  let found = GIVEN_UP_AT_ONCE;
  while (found === GIVEN_UP_AT_ONCE) found = (await rows(database, giveUp, { tenantId })).length;
  await database.raw('delete from webhook_removal where tenant_id = :tenantId and until = :until', { tenantId, until });
}

/** Goes on with removals that were cut short. `now` is the caller's clock. @returns how many. */
export async function finishRemovals(database: Database, now: Date): Promise<number> {
  const removals = await rows<{ tenantId: string; until: Date }>(
    database,
    `select tenant_id, until from webhook_removal where until < cast(:now as timestamptz) - interval '5 seconds'`,
    { now },
  );
  for (const removal of removals) await giveUpRemoved(database, removal);
  return removals.length;
}

/**
 * Removes a tenant's webhook, and then gives up the events that were not delivered: orders of the tenant wait for the
 * removal, but not for those. If that is cut short, the sweep goes on with it.
 * @returns null if it had none.
 */
export async function deleteWebhook(
  database: Database,
  { tenantId, author }: { tenantId: string; author: Author },
): Promise<Webhook | null> {
  const removed = await transact(database, async (transaction) => {
    // Waits for every transaction that is writing an event for it.
    const webhook = await Webhook.query(transaction).deleteById(tenantId).returning('*').first();
    if (!webhook) return null;
    await recordAudit(transaction, {
      tenantId,
      author,
      action: 'webhook.delete',
      subject: { type: 'webhook', id: tenantId },
      before: { url: webhook.url },
      after: null,
    });
    const removal = await firstRow<{ until: Date }>(
      transaction,
      // A Date has no microseconds.
      `insert into webhook_removal (tenant_id, until)
       values (:tenantId, date_trunc('milliseconds', clock_timestamp()) + interval '1 millisecond')
       on conflict (tenant_id) do update set until = excluded.until returning until`,
      { tenantId },
    );
    return removal && { webhook, until: removal.until };
  });
  if (!removed) return null;
  await giveUpRemoved(database, { tenantId, until: removed.until });
  return removed.webhook;
}
