import { type Database, firstRow, rows, type Transaction } from '#db/database.ts';
import { columns, type ListedTemplateRecord, source } from '#db/outreach/templates/templates.ts';
import { select, type TemplateVersionRecord } from '#db/outreach/templates/versions.ts';
import { invalidField, Problem } from '#domain/api/problem.ts';
import type { TemplateContent } from '#domain/api/templates.ts';

/** A template with its newest version. */
export interface TemplateRecord extends ListedTemplateRecord {
  content: TemplateContent;
}

const unknownTemplate = () => new Problem('not_found', 'There is no template with this id');

/** @throws Problem `not_found`. */
export async function readTemplate(database: Database, tenantId: string, templateId: string): Promise<TemplateRecord> {
  const found = await firstRow<TemplateRecord>(
    database,
    `select ${columns}, v.content from ${source} where t.tenant_id = :tenantId and t.template_id = :templateId`,
    { tenantId, templateId },
  );
  if (!found) throw unknownTemplate();
  return found;
}

/** @throws Problem `not_found`. */
export async function readVersion(
  database: Database,
  key: { tenantId: string; templateId: string; version: number },
): Promise<TemplateVersionRecord> {
  const found = await firstRow<TemplateVersionRecord>(database, `${select} and version = :version`, { ...key });
  if (!found) throw new Problem('not_found', 'The template has no such version');
  return found;
}

/** The template, locked: its versions are numbered one after the other. @throws Problem `not_found`. */
export async function lockTemplate(
  transaction: Transaction,
  tenantId: string,
  templateId: string,
): Promise<TemplateRecord> {
  await rows(
    transaction,
    'select 1 from template where tenant_id = :tenantId and template_id = :templateId for update',
    { tenantId, templateId },
  );
  return readTemplate(transaction, tenantId, templateId);
}

export async function assertNameFree(
  transaction: Transaction,
  tenantId: string,
  name: string,
  but: string,
): Promise<void> {
  const taken = await firstRow(
    transaction,
    'select 1 from template where tenant_id = :tenantId and name = :name and template_id <> :but',
    { tenantId, name, but },
  );
  if (taken)
    throw new Problem('invalid_content', 'Another template has this name', {
      errors: [invalidField('/name', 'name_taken')],
    });
}
