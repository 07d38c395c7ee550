import type { OutgoingEventType } from '../../../domain/api/webhook.ts';
import { Problem } from '../../../domain/api/problem.ts';
import { type Database, firstRow, rows, type Transaction } from '../../database.ts';
import type { Encryption } from '../../encryption.ts';
import { secretContext } from '../../webhooks/claims.ts';
import { type Author, recordAudit } from '../audit/record.ts';

/** Where a tenant receives its events. */
export interface Webhook {
  url: string;
  eventTypes: OutgoingEventType[];
  createdAt: Date;
  updatedAt: Date;
  /** Until when the secret before the present one signs as well; null if it does not. */
  previousUntil: Date | null;
}

/** For so long a secret that was replaced signs as well. */
const OVERLAP = `interval '24 hours'`;

const columns = `url, to_json(event_types) as event_types, created_at, updated_at,
  case when previous_until > now() then previous_until end as previous_until`;

export const noWebhook = () => new Problem('invalid_state', 'The tenant has no webhook');

export function findWebhook(database: Database, tenantId: string): Promise<Webhook | null> {
  return firstRow<Webhook>(database, `select ${columns} from webhook where tenant_id = :tenantId`, { tenantId });
}

const lock = (transaction: Transaction, tenantId: string) =>
  firstRow<Webhook>(transaction, `select ${columns} from webhook where tenant_id = :tenantId for update`, { tenantId });

const shown = ({ url, eventTypes }: Pick<Webhook, 'url' | 'eventTypes'>) => ({ url, eventTypes });

export interface PutWebhook {
  url: string;
  eventTypes: readonly OutgoingEventType[];
  /** `whsec_…`: takes the place of the present one; null: that stays, or `made` becomes the first. */
  secret: string | null;
  made: string;
}

/**
 * Creates or changes the tenant's webhook. A secret that is replaced signs as well for a day.
 * @returns the webhook, and whether `made` is its secret now.
 */
export function putWebhook(
  database: Database,
  encryption: Encryption,
  author: Author,
  { url, eventTypes, secret, made }: PutWebhook,
): Promise<{ webhook: Webhook; isMade: boolean }> {
  const { tenantId } = author;
  return database.transaction(async (transaction) => {
    const before = await lock(transaction, tenantId);
    const seal = (text: string) => encryption.encrypt(text, secretContext(tenantId));
    const stored = await firstRow<Webhook & { isMade: boolean }>(
      transaction,
      `insert into webhook as w (tenant_id, url, event_types, sealed_secret)
       values (:tenantId, :url, :eventTypes::text[], coalesce(:given::text, :made::text))
       on conflict (tenant_id) do update set url = excluded.url, event_types = excluded.event_types, updated_at = now(),
         sealed_secret = coalesce(:given::text, w.sealed_secret),
         previous_sealed_secret = case when :given::text is null then w.previous_sealed_secret else w.sealed_secret end,
         previous_until = case when :given::text is null then w.previous_until else now() + ${OVERLAP} end
       returning ${columns}, sealed_secret = :made as is_made`,
      { tenantId, url, eventTypes, given: secret === null ? null : seal(secret), made: seal(made) },
    );
    if (!stored) throw noWebhook();
    const { isMade, ...webhook } = stored;
    await recordAudit(transaction, author, {
      action: 'webhook.set',
      objectType: 'webhook',
      objectId: tenantId,
      before: before && shown(before),
      after: { ...shown(webhook), secretReplaced: before !== null && secret !== null },
    });
    return { webhook, isMade };
  });
}

/** Replaces the secret; the present one signs as well for a day. @throws Problem `invalid_state` without a webhook. */
export function rotateSecret(
  database: Database,
  encryption: Encryption,
  author: Author,
  secret: string,
): Promise<Webhook> {
  const { tenantId } = author;
  return database.transaction(async (transaction) => {
    const webhook = await firstRow<Webhook>(
      transaction,
      `update webhook set previous_sealed_secret = sealed_secret, previous_until = now() + ${OVERLAP},
         sealed_secret = :sealed, updated_at = now() where tenant_id = :tenantId returning ${columns}`,
      { tenantId, sealed: encryption.encrypt(secret, secretContext(tenantId)) },
    );
    if (!webhook) throw noWebhook();
    const after = { previousUntil: webhook.previousUntil };
    await recordAudit(transaction, author, {
      action: 'webhook.rotate',
      objectType: 'webhook',
      objectId: tenantId,
      after,
    });
    return webhook;
  });
}

/**
 * Removes the webhook with its secrets, and gives up what was not delivered. It waits for every transaction that is writing an
 * event for it.
 * @returns null if there was none.
 */
export async function removeWebhook(transaction: Transaction, tenantId: string): Promise<Webhook | null> {
  const removed = await firstRow<Webhook>(
    transaction,
    `delete from webhook where tenant_id = :tenantId returning ${columns}`,
    { tenantId },
  );
  if (!removed) return null;
  await rows(
    transaction,
    `update delivery set status = 'failed', next_attempt_at = null, leased_until = null,
       settled_at = coalesce(settled_at, now()), last_error = 'the webhook was removed'
     where tenant_id = :tenantId and status = 'pending'`,
    { tenantId },
  );
  return removed;
}

/** Nothing happens if there is none. */
export function deleteWebhook(database: Database, author: Author): Promise<void> {
  const { tenantId } = author;
  return database.transaction(async (transaction) => {
    const removed = await removeWebhook(transaction, tenantId);
    if (!removed) return;
    await recordAudit(transaction, author, {
      action: 'webhook.delete',
      objectType: 'webhook',
      objectId: tenantId,
      before: shown(removed),
    });
  });
}
