import { type Database, firstRow } from '#db/database.ts';
import type { Encryption } from '#db/encryption.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { columns, type Endpoint, listEndpoints, lockEndpointsOf } from '#db/outreach/webhooks/webhooks.ts';
import { secretContext } from '#db/webhooks/claims.ts';
import { Problem } from '#domain/api/problem.ts';
import { MAX_ENDPOINTS, type OutgoingEventType } from '#domain/api/webhook.ts';
import { audited } from './endpoints.ts';

export interface NewEndpoint {
  url: string;
  eventTypes: readonly OutgoingEventType[];
  /** `whsec_…` */
  secret: string;
}

/** Adds an endpoint. @throws Problem `conflict` for one more than a tenant may have. */
export function createEndpoint(
  database: Database,
  encryption: Encryption,
  author: Author,
  { url, eventTypes, secret }: NewEndpoint,
): Promise<Endpoint> {
  const { tenantId } = author;
  return database.transaction(async (transaction) => {
    await lockEndpointsOf(transaction, tenantId);
    if ((await listEndpoints(transaction, tenantId)).length >= MAX_ENDPOINTS)
      throw new Problem('conflict', `A tenant has at most ${MAX_ENDPOINTS} endpoints`);
    const stored = await firstRow<Endpoint>(
      transaction,
      `insert into webhook (tenant_id, url, event_types, sealed_secret, created_at)
       values (:tenantId, :url, :eventTypes::text[], :sealed, clock_timestamp()) returning ${columns}`,
      { tenantId, url, eventTypes, sealed: encryption.encrypt(secret, secretContext(tenantId)) },
    );
    if (!stored) throw new Error('an insert returns its row');
    await recordAudit(transaction, author, {
      action: 'webhook.set',
      objectType: 'webhook',
      objectId: stored.endpointId,
      after: audited(stored),
    });
    return stored;
  });
}
