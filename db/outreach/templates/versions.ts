import { z } from 'zod';
import type { Page } from '#domain/api/primitives.ts';
import type { TemplateVersion } from '#domain/api/templates.ts';
import { decodeCursor, pageOf } from '#domain/cursor.ts';
import { type Database, rows } from '#db/database.ts';

export type TemplateVersionRecord = Omit<TemplateVersion, 'createdAt'> & { createdAt: Date };

export const select = `select version, content, variables, restored_from, created_by, created_at from template_version
  where tenant_id = :tenantId and template_id = :templateId`;

/** Newest first. The caller has already found the template by its tenant. */
export async function listVersions(
  database: Database,
  { tenantId, templateId }: { tenantId: string; templateId: string },
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<TemplateVersionRecord>> {
  const after = decodeCursor(z.tuple([z.int()]), cursor);
  const found = await rows<TemplateVersionRecord>(
    database,
    `${select} ${after ? 'and version < :after' : ''} order by version desc limit :rows`,
    { tenantId, templateId, after: after?.[0] ?? null, rows: limit + 1 },
  );
  return pageOf(found, limit, ({ version }) => [version]);
}
