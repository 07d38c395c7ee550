import type { AudiencePreview } from '../../domain/api/audiences.ts';
import type { Database } from '../database.ts';
import { type ContactClass, overClassifiedContacts, previewOf } from './audience-resolution.ts';
import type { AudienceSource } from './audience-source.ts';

/** The preview of an audience with the first of its reachable contacts, by id (flow resolve_audience of S0). */
export function resolveAudience(
  db: Database,
  scope: { tenantId: string; serviceNumberId: string },
  source: AudienceSource,
  { now, limit }: { now: Date; limit: number },
): Promise<AudiencePreview & { contactIds: string[] }> {
  return db.transaction(async (transaction) => {
    const found = await overClassifiedContacts<{ class: ContactClass; contacts: number; first: string[] | null }>(
      transaction,
      scope,
      { source, now },
      (classified) => `select class, count(*) as contacts,
          (array_agg(contact_id order by contact_id) filter (where class = 'reachable'))[1:${Math.trunc(limit)}] as first
        from (${classified}) classified group by class`,
    );
    const contactIds = found.flatMap(({ first }) => first ?? []);
    return { ...previewOf(found), contactIds };
  });
}
