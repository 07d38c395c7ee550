import { uuidv7 } from 'uuidv7';
import { z } from 'zod';
import type { Page } from '../../../domain/api/primitives.ts';
import { invalidField, Problem } from '../../../domain/api/problem.ts';
import {
  type CreateTemplate,
  maximumTemplates,
  type TemplateContent,
  type TemplateKind,
  type TemplateVariable,
} from '../../../domain/api/templates.ts';
import { decodeCursor, keyText, moment, pageOf } from '../../../domain/cursor.ts';
import { type Database, firstRow, rows, type Transaction } from '../../database.ts';
import { containing } from '../../text-search.ts';
import { type Author, recordAudit } from '../audit/record.ts';
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
}

/** A template with its newest version. */
export interface TemplateRecord extends ListedTemplateRecord {
  content: TemplateContent;
}

const columns = `t.template_id, t.name, t.kind, t.service_number_id, t.version, v.variables, t.created_by, t.created_at,
  t.updated_by, t.updated_at`;
const source = 'template t join template_version v on v.template_id = t.template_id and v.version = t.version';

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

/** The template, locked: its versions are numbered one after the other. @throws Problem `not_found`. */
async function lockTemplate(transaction: Transaction, tenantId: string, templateId: string): Promise<TemplateRecord> {
  await rows(
    transaction,
    'select 1 from template where tenant_id = :tenantId and template_id = :templateId for update',
    { tenantId, templateId },
  );
  return readTemplate(transaction, tenantId, templateId);
}

async function assertNameFree(transaction: Transaction, tenantId: string, name: string, but: string): Promise<void> {
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

interface NewVersion {
  version: number;
  content: TemplateContent;
  variables: readonly TemplateVariable[];
  restoredFrom: number | null;
  now: Date;
}

async function insertVersion(
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
const lockTenant = (transaction: Transaction, tenantId: string) =>
  rows(transaction, `select pg_advisory_xact_lock(hashtextextended('template ' || :tenantId::text, 0))`, { tenantId });

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

export interface TemplateChange {
  /** The version that the caller read. */
  basedOn: number;
  action: 'template.update' | 'template.restore';
  now: Date;
  /** The name, and the next version if there is to be one. @throws Problem for what must not be stored. */
  change: (
    transaction: Transaction,
    before: TemplateRecord,
  ) => Promise<{ name: string; next: Pick<NewVersion, 'content' | 'variables' | 'restoredFrom'> | null }>;
}

/** @throws Problem `not_found`, `conflict` if somebody changed it meanwhile, `invalid_content` for a name that is taken. */
export function changeTemplate(
  database: Database,
  author: Author,
  templateId: string,
  { basedOn, action, now, change }: TemplateChange,
): Promise<TemplateRecord> {
  const { tenantId, userId } = author;
  return database.transaction(async (transaction) => {
    await lockTenant(transaction, tenantId);
    const before = await lockTemplate(transaction, tenantId, templateId);
    if (before.version !== basedOn) throw new Problem('conflict', `The template has version ${before.version} by now`);
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
