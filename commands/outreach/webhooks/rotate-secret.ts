import { type Database, firstRow } from '#db/database.ts';
import type { Encryption } from '#db/encryption.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { columns, type Endpoint } from '#db/outreach/webhooks/webhooks.ts';
import { secretContext } from '#db/webhooks/claims.ts';
import { OVERLAP, requireEndpoint } from './endpoints.ts';

/** Replaces the secret; the present one signs as well for a day. @throws Problem `not_found`. */
export function rotateSecret(
  database: Database,
  encryption: Encryption,
  author: Author,
  endpointId: string,
  secret: string,
): Promise<Endpoint> {
  const { tenantId } = author;
  return database.transaction(async (transaction) => {
    await requireEndpoint(transaction, { tenantId, endpointId });
    const endpoint = await firstRow<Endpoint>(
      transaction,
      `update webhook set previous_sealed_secret = sealed_secret, previous_until = now() + ${OVERLAP},
         sealed_secret = :sealed, updated_at = now() where endpoint_id = :endpointId returning ${columns}`,
      { endpointId, sealed: encryption.encrypt(secret, secretContext(tenantId)) },
    );
    if (!endpoint) throw new Error('the row is locked');
    await recordAudit(transaction, author, {
      action: 'webhook.rotate',
      objectType: 'webhook',
      objectId: endpointId,
      after: { previousUntil: endpoint.previousUntil },
    });
    return endpoint;
  });
}
