import { z } from 'zod';
import type { Page } from '#domain/api/primitives.ts';
import type { TemplateContent, TemplateKind, TemplateVariable } from '#domain/api/templates.ts';
import { decodeCursor, keyText, moment, pageOf } from '#domain/cursor.ts';
import { type Database, rows, type Transaction } from '#db/database.ts';
import { containing } from '#db/text-search.ts';
import type { Author } from '../audit/record.ts';
import { atMicroseconds, toMicroseconds } from '../sql-fragments.ts';

export interface ListedTemplateRecord {
  templateId: string;
  name: string;
  kind: TemplateKind;
  serviceNumberId: string | null;
  version: number;
  variables: TemplateVariable[];
  createdBy: string;
  createdAt: Date;
  updatedBy: string;
  updatedAt: Date;
  revision: number;
}

export const columns = `t.template_id, t.name, t.kind, t.service_number_id, t.version, v.variables, t.created_by, t.created_at,
  t.updated_by, t.updated_at, t.revision`;

export const source = 'template t join template_version v on v.template_id = t.template_id and v.version = t.version';

export interface TemplateSearch {
  limit: number;
  cursor?: string | undefined;
  kind?: TemplateKind | undefined;
  /** Templates of this service number and of all. */
  serviceNumberId?: string | undefined;
  /** A part of the name. */
  q?: string | undefined;
}

/** Most recently changed first. */
export async function listTemplates(
  database: Database,
  tenantId: string,
  { limit, cursor, kind, serviceNumberId, q = '' }: TemplateSearch,
): Promise<Page<ListedTemplateRecord>> {
  const after = decodeCursor(z.tuple([moment, keyText]), cursor);
  const found = await rows<ListedTemplateRecord & { at: string }>(
    database,
    `select ${columns}, ${toMicroseconds('t.updated_at')} as at from ${source}
     where t.tenant_id = :tenantId ${kind ? 'and t.kind = :kind' : ''}
       ${serviceNumberId ? 'and coalesce(t.service_number_id, :serviceNumberId) = :serviceNumberId' : ''}
       ${q.trim() === '' ? '' : 'and t.name ilike :pattern'}
       ${after ? `and (t.updated_at, t.template_id) < (${atMicroseconds('at')}, :templateId)` : ''}
     order by t.updated_at desc, t.template_id desc limit :rows`,
    {
      tenantId,
      kind: kind ?? null,
      serviceNumberId: serviceNumberId ?? null,
      pattern: containing(q.trim()),
      at: after?.[0] ?? null,
      templateId: after?.[1] ?? null,
      rows: limit + 1,
    },
  );
  return pageOf(found, limit, ({ at, templateId }) => [at, templateId]);
}

export interface NewVersion {
  version: number;
  content: TemplateContent;
  variables: readonly TemplateVariable[];
  restoredFrom: number | null;
  now: Date;
}

export async function insertVersion(
  transaction: Transaction,
  { tenantId, userId }: Author,
  templateId: string,
  { content, variables, ...version }: NewVersion,
): Promise<void> {
  await rows(
    transaction,
    `insert into template_version (template_id, version, tenant_id, content, variables, restored_from, created_by, created_at)
     values (:templateId, :version, :tenantId, :content::jsonb, :variables::jsonb, :restoredFrom, :userId, :now)`,
    {
      tenantId,
      userId,
      templateId,
      ...version,
      content: JSON.stringify(content),
      variables: JSON.stringify(variables),
    },
  );
}

/** Writers of a tenant's templates are serialized: names and their count are checked first. */
export const lockTenant = (transaction: Transaction, tenantId: string) =>
  rows(transaction, `select pg_advisory_xact_lock(hashtextextended('template ' || :tenantId::text, 0))`, { tenantId });
