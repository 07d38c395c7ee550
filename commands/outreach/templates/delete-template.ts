import { type Database, rows } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { lockTemplate } from './templates.ts';
import { anyRevision, type RevisionCheck } from '../revision-check.ts';

/** With all of its versions. @throws Problem `not_found`, `stale`. */
export function deleteTemplate(
  database: Database,
  author: Author,
  templateId: string,
  checkRevision: RevisionCheck = anyRevision,
): Promise<void> {
  const { tenantId } = author;
  return database.transaction(async (transaction) => {
    const { name, kind, version, revision } = await lockTemplate(transaction, tenantId, templateId);
    checkRevision(revision);
    await rows(transaction, 'delete from template where template_id = :templateId', { templateId });
    await recordAudit(transaction, author, {
      action: 'template.delete',
      objectType: 'template',
      objectId: templateId,
      before: { name, kind, version },
    });
  });
}
