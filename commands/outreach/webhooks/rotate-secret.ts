import { type Database, firstRow } from '#db/database.ts';
import type { Encryption } from '#db/encryption.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { columns, type Webhook } from '#db/outreach/webhooks/webhooks.ts';
import { secretContext } from '#db/webhooks/claims.ts';
import { noWebhook, OVERLAP } from './webhooks.ts';

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
