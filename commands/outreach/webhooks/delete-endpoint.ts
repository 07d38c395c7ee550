import type { Database } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { removeEndpoints } from '#db/outreach/webhooks/webhooks.ts';
import { anyRevision, type RevisionCheck } from '../revision-check.ts';
import { audited, requireEndpoint } from './endpoints.ts';

/** Removes an endpoint. @throws Problem `not_found`, `stale`. */
export function deleteEndpoint(
  database: Database,
  author: Author,
  endpointId: string,
  checkRevision: RevisionCheck = anyRevision,
): Promise<void> {
  const key = { tenantId: author.tenantId, endpointId };
  return database.transaction(async (transaction) => {
    const before = await requireEndpoint(transaction, key);
    checkRevision(before.revision);
    await removeEndpoints(transaction, key);
    await recordAudit(transaction, author, {
      action: 'webhook.delete',
      objectType: 'webhook',
      objectId: endpointId,
      before: audited(before),
    });
  });
}
