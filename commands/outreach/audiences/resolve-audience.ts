import type { Database } from '#db/database.ts';
import { previewOf, reachCounts, type ReachCounts } from '#db/outreach/audiences/reach-counts.ts';
import { overClassifiedContacts } from '#db/outreach/audiences/resolution.ts';
import type { AudienceSource } from '#db/outreach/audiences/source.ts';
import type { AudiencePreview } from '#domain/api/audiences.ts';

/** The preview of an audience with the first of its reachable contacts, by id (flow resolve_audience of S0). */
export function resolveAudience(
  database: Database,
  scope: { tenantId: string; serviceNumberId: string },
  source: AudienceSource,
  { now, limit }: { now: Date; limit: number },
): Promise<AudiencePreview & { contactIds: string[] }> {
  return database.transaction(async (transaction) => {
    const [found] = await overClassifiedContacts<ReachCounts & { first: string[] | null }>(
      transaction,
      scope,
      { source, now },
      (classified) => `select ${reachCounts},
          (array_agg(contact_id order by contact_id) filter (where class = 'reachable'))[1:${Math.trunc(limit)}] as first
        from (${classified}) classified`,
    );
    return { ...previewOf(found), contactIds: found?.first ?? [] };
  });
}
