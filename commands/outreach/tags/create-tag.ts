import { uuidv7 } from 'uuidv7';
import type { Database } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { TagRow } from '#db/outreach/models/tags.ts';
import type { TagBody } from '#domain/api/tags.ts';
import { assertActiveServiceNumber } from '../tenants/service-numbers.ts';
import { assertNameIsFree, audited, lifeOf } from './tags.ts';

/** @throws Problem `invalid_content` for a service number that is not active, `conflict` for a name that is taken. */
export function createTag(database: Database, author: Author, body: TagBody, now: Date): Promise<TagRow> {
  const { tenantId } = author;
  const expiresAt = body.expiresAt ? new Date(body.expiresAt) : null;
  const row = {
    tagId: uuidv7(),
    tenantId,
    serviceNumberId: body.serviceNumberId,
    name: body.name,
    source: 'app_manual' as const,
    kind: body.kind,
    color: body.color ?? null,
    status: lifeOf(expiresAt, now),
    expiresAt,
    contactCount: 0,
    createdAt: now,
  };
  return assertNameIsFree(
    database.transaction(async (transaction) => {
      await assertActiveServiceNumber(transaction, tenantId, body.serviceNumberId);
      const tag = await TagRow.query(transaction).insertAndFetch(row);
      await recordAudit(transaction, author, {
        action: 'tag.create',
        objectType: 'tag',
        objectId: tag.tagId,
        after: audited(tag, now),
      });
      return tag;
    }),
  );
}
