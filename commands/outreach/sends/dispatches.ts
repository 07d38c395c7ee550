import type { Transaction } from '#db/database.ts';
import { IntegrationRow } from '#db/outreach/models/tenants.ts';
import type { AudiencePreview } from '#domain/api/audiences.ts';
import { Problem } from '#domain/api/problem.ts';

export interface SendRequest {
  idempotencyKey: string | null;
  /** The count that the operator saw; null if the caller does not care. */
  expectedReachableCount: number | null;
  now: Date;
}

/**
 * Compares with what the operator saw: all whom the audience reaches, those who will be held back as well.
 * @throws Problem `audience_changed`, `audience_empty`.
 */
export function assertCounts(
  { reachableCount }: Pick<AudiencePreview, 'reachableCount'>,
  expected: number | null,
): void {
  if (expected !== null && expected !== reachableCount)
    throw new Problem('audience_changed', `The audience now reaches ${reachableCount} contacts, not ${expected}`);
  if (reachableCount === 0) throw new Problem('audience_empty', 'The audience reaches nobody');
}

/**
 * Locked against an uninstallation until the send is stored: either the uninstallation sees the open campaign, or the
 * send sees the tenant without an integration. Taken before the campaign's lock, in the same order as an
 * uninstallation.
 */
export async function assertInstalled(transaction: Transaction, tenantId: string): Promise<void> {
  const active = await IntegrationRow.query(transaction)
    .select('tenantIntegrationId')
    .findOne({ tenantId, status: 'ACTIVE' })
    .forShare();
  if (!active) throw new Problem('forbidden', 'The tenant has no active integration');
}
