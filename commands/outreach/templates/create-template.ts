import { uuidv7 } from 'uuidv7';
import { type Database, firstRow, rows, type Transaction } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { insertVersion, lockTenant } from '#db/outreach/templates/templates.ts';
import { Problem } from '#domain/api/problem.ts';
import { type CreateTemplate, maximumTemplates } from '#domain/api/templates.ts';
import { assertNameFree, readTemplate, type TemplateRecord } from './templates.ts';

/** @throws Problem `invalid_content` for a name that is taken, `conflict` where there are too many. */
export function createTemplate(
  database: Database,
  author: Author,
  { name, kind, serviceNumberId = null, content, variables }: CreateTemplate,
  { now, check }: { now: Date; check: (transaction: Transaction) => Promise<void> },
): Promise<TemplateRecord> {
  const { tenantId, userId } = author;
  const templateId = uuidv7();
  return database.transaction(async (transaction) => {
    await lockTenant(transaction, tenantId);
    await check(transaction);
    await assertNameFree(transaction, tenantId, name, templateId);
    const counted = await firstRow<{ n: number }>(
      transaction,
      'select count(*) as n from template where tenant_id = :tenantId',
      { tenantId },
    );
    if ((counted?.n ?? 0) >= maximumTemplates)
      throw new Problem('conflict', `There are ${maximumTemplates} templates already; delete one that is not used`);
    await rows(
      transaction,
      `insert into template (template_id, tenant_id, service_number_id, name, kind, version, created_by, created_at,
         updated_by, updated_at)
       values (:templateId, :tenantId, :serviceNumberId, :name, :kind, 1, :userId, :now, :userId, :now)`,
      { templateId, tenantId, serviceNumberId, name, kind, userId, now },
    );
    await insertVersion(transaction, author, templateId, { version: 1, content, variables, restoredFrom: null, now });
    await recordAudit(transaction, author, {
      action: 'template.create',
      objectType: 'template',
      objectId: templateId,
      after: { name, kind, version: 1 },
    });
    return readTemplate(transaction, tenantId, templateId);
  });
}
