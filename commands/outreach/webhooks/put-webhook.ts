import { type Database, firstRow } from '#db/database.ts';
import type { Encryption } from '#db/encryption.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { columns, lock, type Webhook } from '#db/outreach/webhooks/webhooks.ts';
import { secretContext } from '#db/webhooks/claims.ts';
import type { OutgoingEventType } from '#domain/api/webhook.ts';
import { noWebhook, OVERLAP, shown } from './webhooks.ts';
import { anyRevision, type RevisionCheck } from '../revision-check.ts';

export interface PutWebhook {
  url: string;
  eventTypes: readonly OutgoingEventType[];
  /** `whsec_…`: takes the place of the present one; null: that stays, or `made` becomes the first. */
  secret: string | null;
  made: string;
  checkRevision?: RevisionCheck;
}

/**
 * Creates or changes the tenant's webhook. A secret that is replaced signs as well for a day.
 * @throws Problem `stale`.
 * @returns the webhook, and whether `made` is its secret now.
 */
export function putWebhook(
  database: Database,
  encryption: Encryption,
  author: Author,
  { url, eventTypes, secret, made, checkRevision = anyRevision }: PutWebhook,
): Promise<{ webhook: Webhook; isMade: boolean }> {
  const { tenantId } = author;
  return database.transaction(async (transaction) => {
    const before = await lock(transaction, tenantId);
    checkRevision(before?.revision ?? null);
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
