import type { Database } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { lock, removeWebhook } from '#db/outreach/webhooks/webhooks.ts';
import { shown } from './webhooks.ts';
import { anyRevision, type RevisionCheck } from '../revision-check.ts';

/** Nothing happens if there is none. @throws Problem `stale`. */
export function deleteWebhook(
  database: Database,
  author: Author,
  checkRevision: RevisionCheck = anyRevision,
): Promise<void> {
  const { tenantId } = author;
  return database.transaction(async (transaction) => {
    checkRevision((await lock(transaction, tenantId))?.revision ?? null);
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
