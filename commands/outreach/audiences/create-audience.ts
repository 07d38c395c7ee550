import { uuidv7 } from 'uuidv7';
import type { Database, Transaction } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { AudienceRow } from '#db/outreach/models/audiences.ts';
import { auditedAudience, insertAudience, noMembers, type SavedContent, writeMembers } from './audiences.ts';

export const recordCreation = (transaction: Transaction, author: Author, created: AudienceRow): Promise<void> =>
  recordAudit(transaction, author, {
    action: 'audience.create',
    objectType: 'audience',
    objectId: created.audienceId,
    after: auditedAudience(created),
  });

/** @throws Problem `invalid_content` for an invalid service number or tags. */
export function createAudience(
  database: Database,
  author: Author,
  serviceNumberId: string,
  content: SavedContent,
  now: Date,
): Promise<AudienceRow> {
  const { tenantId } = author;
  const audienceId = uuidv7();
  return database.transaction(async (transaction) => {
    const { name, type } = content;
    const segment = content.type === 'segment' ? content.segment : null;
    const empty = { audienceId, serviceNumberId, name, type, segment, collecting: null };
    await insertAudience(transaction, author, empty, now);
    const scope = { tenantId, serviceNumberId, audienceId, now };
    const members = await writeMembers(transaction, scope, content, noMembers);
    const row = await AudienceRow.query(transaction).patchAndFetchById(audienceId, members);
    await recordCreation(transaction, author, row);
    return row;
  });
}
