import type { Database } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { removeWebhook } from '#db/outreach/webhooks/webhooks.ts';
import { shown } from './webhooks.ts';

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
