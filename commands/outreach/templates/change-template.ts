import { type Database, rows, type Transaction } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { insertVersion, lockTenant, type NewVersion } from '#db/outreach/templates/templates.ts';
import { Problem } from '#domain/api/problem.ts';
import { assertNameFree, lockTemplate, readTemplate, type TemplateRecord } from './templates.ts';
import { anyRevision, type RevisionCheck } from '../revision-check.ts';

export interface TemplateChange {
  /** The version that the caller read; undefined if the caller does not care. */
  basedOn: number | undefined;
  checkRevision?: RevisionCheck;
  action: 'template.update' | 'template.restore';
  now: Date;
  /** The name, and the next version if there is to be one. @throws Problem for what must not be stored. */
  change: (
    transaction: Transaction,
    before: TemplateRecord,
  ) => Promise<{ name: string; next: Pick<NewVersion, 'content' | 'variables' | 'restoredFrom'> | null }>;
}

/** @throws Problem `not_found`, `stale`, `conflict` if somebody changed it meanwhile, `invalid_content` for a name that is taken. */
export function changeTemplate(
  database: Database,
  author: Author,
  templateId: string,
  { basedOn, checkRevision = anyRevision, action, now, change }: TemplateChange,
): Promise<TemplateRecord> {
  const { tenantId, userId } = author;
  return database.transaction(async (transaction) => {
    await lockTenant(transaction, tenantId);
    const before = await lockTemplate(transaction, tenantId, templateId);
    if (basedOn !== undefined && before.version !== basedOn)
      throw new Problem('conflict', `The template has version ${before.version} by now`);
    checkRevision(before.revision);
    const { name, next } = await change(transaction, before);
    if (name !== before.name) await assertNameFree(transaction, tenantId, name, templateId);
    const version = next ? before.version + 1 : before.version;
    if (next) await insertVersion(transaction, author, templateId, { ...next, version, now });
    await rows(
      transaction,
      `update template set name = :name, version = :version, updated_by = :userId, updated_at = :now
       where template_id = :templateId`,
      { templateId, name, version, userId, now },
    );
    await recordAudit(transaction, author, {
      action,
      objectType: 'template',
      objectId: templateId,
      before: { name: before.name, version: before.version },
      after: { name, version, ...(next?.restoredFrom ? { restoredFrom: next.restoredFrom } : {}) },
    });
    return readTemplate(transaction, tenantId, templateId);
  });
}
