import { type Database, firstRow } from '../../../db/database.ts';
import { select, type TemplateVersionRecord } from '../../../db/outreach/templates/versions.ts';
import { Problem } from '../../../domain/api/problem.ts';

/** @throws Problem `not_found`. */
export async function readVersion(
  database: Database,
  key: { tenantId: string; templateId: string; version: number },
): Promise<TemplateVersionRecord> {
  const found = await firstRow<TemplateVersionRecord>(database, `${select} and version = :version`, { ...key });
  if (!found) throw new Problem('not_found', 'The template has no such version');
  return found;
}
