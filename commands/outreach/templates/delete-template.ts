import { type Database, rows } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { lockTemplate } from './templates.ts';

/** With all of its versions. @throws Problem `not_found`. */
export function deleteTemplate(database: Database, author: Author, templateId: string): Promise<void> {
  const { tenantId } = author;
  return database.transaction(async (transaction) => {
    const { name, kind, version } = await lockTemplate(transaction, tenantId, templateId);
    await rows(transaction, 'delete from template where template_id = :templateId', { templateId });
    await recordAudit(transaction, author, {
      action: 'template.delete',
      objectType: 'template',
      objectId: templateId,
      before: { name, kind, version },
    });
  });
}
