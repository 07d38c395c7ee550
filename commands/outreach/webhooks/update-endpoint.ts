import { isDeepStrictEqual } from 'node:util';
import { type Database, firstRow } from '#db/database.ts';
import type { Encryption } from '#db/encryption.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { columns, type Endpoint, type EndpointKey } from '#db/outreach/webhooks/webhooks.ts';
import { secretContext } from '#db/webhooks/claims.ts';
import type { PatchEndpoint } from '#domain/api/webhook.ts';
import { anyRevision, type RevisionCheck } from '../revision-check.ts';
import { audited, OVERLAP, requireEndpoint, statusOf } from './endpoints.ts';

export interface EndpointChange extends PatchEndpoint {
  /** `whsec_…`: takes the place of the present secret, which signs as well for a day. */
  secret?: string | null;
  checkRevision?: RevisionCheck;
}

// Counting failures begins anew with an endpoint that is active again: it has been mended.
const store = `
  update webhook w set url = coalesce(:url, w.url), event_types = coalesce(:eventTypes::text[], w.event_types),
    updated_at = now(),
    paused_for = case when :status::text is null then w.paused_for when :status = 'paused' then coalesce(w.paused_for, 'operator') end,
    failing_since = case when :status = 'active' then null else w.failing_since end,
    failures = case when :status = 'active' then 0 else w.failures end,
    sealed_secret = coalesce(:sealed::text, w.sealed_secret),
    previous_sealed_secret = case when :sealed::text is null then w.previous_sealed_secret else w.sealed_secret end,
    previous_until = case when :sealed::text is null then w.previous_until else now() + ${OVERLAP} end
  where w.tenant_id = :tenantId and w.endpoint_id = :endpointId returning ${columns}`;

/** Changes an endpoint; fields that are left out stay. @throws Problem `not_found`, `stale`. */
export function updateEndpoint(
  database: Database,
  encryption: Encryption,
  author: Author,
  endpointId: string,
  { url, eventTypes, status, secret, checkRevision = anyRevision }: EndpointChange,
): Promise<Endpoint> {
  const key: EndpointKey = { tenantId: author.tenantId, endpointId };
  return database.transaction(async (transaction) => {
    const before = await requireEndpoint(transaction, key);
    checkRevision(before.revision);
    const isSame =
      (url ?? before.url) === before.url &&
      isDeepStrictEqual(eventTypes ?? before.eventTypes, before.eventTypes) &&
      (status ?? statusOf(before)) === statusOf(before);
    if (isSame && !secret) return before;
    const after = await firstRow<Endpoint>(transaction, store, {
      ...key,
      url: url ?? null,
      eventTypes: eventTypes ?? null,
      status: status ?? null,
      sealed: secret ? encryption.encrypt(secret, secretContext(author.tenantId)) : null,
    });
    if (!after) throw new Error('the row is locked');
    await recordAudit(transaction, author, {
      action: 'webhook.set',
      objectType: 'webhook',
      objectId: endpointId,
      before: audited(before),
      after: { ...audited(after), secretReplaced: Boolean(secret) },
    });
    return after;
  });
}
