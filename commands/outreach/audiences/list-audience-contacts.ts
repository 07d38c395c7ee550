import { z } from 'zod';
import type { Database } from '#db/database.ts';
import { overClassifiedContacts } from '#db/outreach/audiences/resolution.ts';
import type { AudienceSource } from '#db/outreach/audiences/source.ts';
import type { AudienceContact, ContactReach } from '#domain/api/audiences.ts';
import type { Page } from '#domain/api/primitives.ts';
import { decodeCursor, keyText, pageOf } from '#domain/cursor.ts';

/** The contacts that an audience matches, by id, page by page; limited to one reach if given. */
export function listAudienceContacts(
  database: Database,
  scope: { tenantId: string; serviceNumberId: string },
  source: AudienceSource,
  {
    now,
    limit,
    cursor,
    reach,
  }: { now: Date; limit: number; cursor?: string | undefined; reach?: ContactReach | undefined },
): Promise<Page<AudienceContact>> {
  // Before all ids, of which none is empty.
  const after = decodeCursor(z.tuple([keyText]), cursor)?.[0] ?? '';
  const conditions = ['contact_id > :after', ...(reach === undefined ? [] : ['class = :reach'])];
  const statement = (classified: string) => `
    select m.contact_id, m.class as reach, q.display_name, q.contact_id is not null as known
    from (select * from (${classified}) classified where ${conditions.join(' and ')}
      order by contact_id limit :count) m
    left join contact_profile q on q.tenant_id = :tenantId and q.service_number_id = :serviceNumberId
      and q.contact_id = m.contact_id
    order by m.contact_id`;
  // In a large audience, few contacts may have the requested reach.
  const page = reach === undefined ? { isDense: false } : undefined;
  const read = { source, now, page, more: { after, reach, count: limit + 1 } };
  return database.transaction(async (transaction) => {
    const found = await overClassifiedContacts<AudienceContact>(transaction, scope, read, statement);
    return pageOf(found, limit, ({ contactId }) => [contactId]);
  });
}
