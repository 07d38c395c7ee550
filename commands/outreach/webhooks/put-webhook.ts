import type { Database } from '#db/database.ts';
import type { Encryption } from '#db/encryption.ts';
import type { Author } from '#db/outreach/audit/record.ts';
import { type Endpoint, findOldestEndpoint, lockEndpointsOf } from '#db/outreach/webhooks/webhooks.ts';
import { createEndpoint, type NewEndpoint } from './create-endpoint.ts';
import { type EndpointChange, updateEndpoint } from './update-endpoint.ts';

export interface PutWebhook extends Pick<NewEndpoint, 'url'>, Pick<EndpointChange, 'checkRevision'> {
  eventTypes: NonNullable<EndpointChange['eventTypes']>;
  /** `whsec_…`: takes the place of the present one; null: that stays, or `made` becomes the first. */
  secret: string | null;
  made: string;
}

/**
 * Creates the tenant's first endpoint, or changes its oldest. A secret that is replaced signs as well for a day.
 * @throws Problem `stale`.
 * @returns the endpoint, and whether `made` is its secret now.
 */
export function putWebhook(
  database: Database,
  encryption: Encryption,
  author: Author,
  { made, secret, checkRevision, ...given }: PutWebhook,
): Promise<{ endpoint: Endpoint; isMade: boolean }> {
  return database.transaction(async (transaction) => {
    await lockEndpointsOf(transaction, author.tenantId);
    const oldest = await findOldestEndpoint(transaction, author.tenantId);
    if (oldest) {
      const change = { ...given, secret, ...(checkRevision && { checkRevision }) };
      return {
        endpoint: await updateEndpoint(transaction, encryption, author, oldest.endpointId, change),
        isMade: false,
      };
    }
    checkRevision?.(null);
    const created = { ...given, secret: secret ?? made };
    return { endpoint: await createEndpoint(transaction, encryption, author, created), isMade: secret === null };
  });
}
