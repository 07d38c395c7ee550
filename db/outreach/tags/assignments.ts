import { z } from 'zod';
import type { Page } from '#domain/api/primitives.ts';
import type { ContactTag, TagAssignment } from '#domain/api/tags.ts';
import { decodeCursor, keyText, moment, pageOf } from '#domain/cursor.ts';
import { type Database, rows, type Transaction } from '#db/database.ts';
import type { Author } from '../audit/record.ts';
import { TagRow } from '../models/tags.ts';
import { atMicroseconds, toMicroseconds } from '../sql-fragments.ts';
import { originColumns } from './origin.ts';

/** The first of the contacts that the tag's service number does not have, with their first place in the list. */
export function unknownContacts(
  transaction: Transaction,
  tag: TagRow,
  contactIds: string[],
  limit = contactIds.length,
): Promise<{ contactId: string; index: number }[]> {
  return rows<{ contactId: string; index: number }>(
    transaction,
    `select given.id as contact_id, min(given.ordinal) - 1 as index
     from unnest(:contactIds::text[]) with ordinality as given (id, ordinal)
     where not exists (select 1 from contact_profile p
       where p.tenant_id = :tenantId and p.service_number_id = :serviceNumberId and p.contact_id = given.id)
     group by given.id order by 2 limit :limit`,
    { contactIds, tenantId: tag.tenantId, serviceNumberId: tag.serviceNumberId, limit },
  );
}

/** The caller has locked the tag. */
export async function addToCount(transaction: Transaction, tagId: string, change: number): Promise<void> {
  if (change !== 0) await TagRow.query(transaction).findById(tagId).increment('contactCount', change);
}

/** The caller has locked the tag. @returns the contacts that did not have it. */
export async function insertAssignments(
  transaction: Transaction,
  { tenantId, userId }: Author,
  tagId: string,
  { contactIds, now }: { contactIds: string[]; now: Date },
): Promise<string[]> {
  const added = await rows<{ contactId: string }>(
    transaction,
    `insert into tag_assignment (tenant_id, tag_id, contact_id, assigned_at, assigned_by)
     select :tenantId, :tagId, id, :now::timestamptz, :userId from unnest(:contactIds::text[]) as given (id)
     on conflict (tag_id, contact_id) do nothing returning contact_id`,
    { tenantId, userId, tagId, contactIds, now },
  );
  await addToCount(transaction, tagId, added.length);
  return added.map(({ contactId }) => contactId);
}

/**
 * Keeps when the contacts had the tag, and remembers what a rule had assigned, and why: otherwise its next look at the same
 * event would assign it again. It may bring the contacts into automations.
 */
export const removeSql = `
  with removed as (
    delete from tag_assignment where tenant_id = :tenantId and tag_id = :tagId and contact_id = any(:contactIds)
    returning contact_id, assigned_at, source_rule_id, source_cause
  ), kept as (
    insert into tag_assignment_past (tenant_id, tag_id, contact_id, since, until)
    select :tenantId, :tagId, contact_id, assigned_at, :now::timestamptz from removed
    on conflict do nothing
  ), remembered as (
    insert into removed_assignment (tag_id, contact_id, rule_id, cause, removed_at)
    select :tagId, contact_id, source_rule_id, source_cause, :now::timestamptz from removed
    where source_rule_id is not null and source_cause is not null
    on conflict (tag_id, contact_id, rule_id, cause) do update set removed_at = excluded.removed_at
  ), entered as (
    select enter_by_tag_removal(:tenantId, :tagId, array(select contact_id from removed), :now::timestamptz)
  )
  select contact_id from removed cross join (select count(*) from entered) e`;

interface AssignmentRecord {
  assignedAt: Date;
  at: string;
  origin: TagAssignment['origin'];
}

export type TagAssignmentRecord = AssignmentRecord & Pick<TagAssignment, 'contactId' | 'displayName'>;

export type ContactTagRecord = AssignmentRecord &
  Pick<ContactTag, 'tagId' | 'name' | 'color' | 'kind'> & { expiresAt: Date | null };

interface PageRequest {
  limit: number;
  cursor?: string | undefined;
}

/** SQL for the assignments of one page, as `a`, newest first, and what it is bound to. */
function assignmentsOfPage(tenantId: string, tagId: string, { limit, cursor }: PageRequest) {
  const after = decodeCursor(z.tuple([moment, keyText]), cursor);
  const sql = `tag_assignment a where a.tenant_id = :tenantId and a.tag_id = :tagId
     ${after ? `and (a.assigned_at, a.contact_id) < (${atMicroseconds('at')}, :contactId)` : ''}
     order by a.assigned_at desc, a.contact_id desc limit :rows`;
  return { sql, bindings: { tenantId, tagId, rows: limit + 1, at: after?.[0] ?? null, contactId: after?.[1] ?? null } };
}

/** Newest first. The caller has already found the tag by its tenant. */
export async function listTagAssignments(
  database: Database,
  tenantId: string,
  tagId: string,
  request: PageRequest,
): Promise<Page<TagAssignmentRecord>> {
  const { sql, bindings } = assignmentsOfPage(tenantId, tagId, request);
  const found = await rows<TagAssignmentRecord>(
    database,
    `select a.contact_id,
       (select p.display_name from tag t join contact_profile p
          on p.tenant_id = t.tenant_id and p.service_number_id = t.service_number_id and p.contact_id = a.contact_id
        where t.tag_id = a.tag_id) as display_name, a.assigned_at, ${toMicroseconds('a.assigned_at')} as at,
       ${originColumns}
     from ${sql}`,
    bindings,
  );
  return pageOf(found, request.limit, (row) => [row.at, row.contactId]);
}

export type PlainAssignment = Omit<AssignmentRecord, 'origin'> &
  Pick<TagAssignment, 'contactId'> &
  Pick<TagAssignment['origin'], 'ruleId' | 'campaignId' | 'assignedBy'>;

/** The same assignments with the ids of their origin alone. */
export async function listPlainAssignments(
  database: Database,
  tenantId: string,
  tagId: string,
  request: PageRequest,
): Promise<Page<PlainAssignment>> {
  const { sql, bindings } = assignmentsOfPage(tenantId, tagId, request);
  const found = await rows<PlainAssignment>(
    database,
    `select a.contact_id, a.assigned_at, ${toMicroseconds('a.assigned_at')} as at, a.source_rule_id as rule_id,
       a.source_campaign_id as campaign_id, a.assigned_by
     from ${sql}`,
    bindings,
  );
  return pageOf(found, request.limit, (row) => [row.at, row.contactId]);
}

/** A contact's tags of one service number, newest first, without archived tags. */
export async function listContactTags(
  database: Database,
  tenantId: string,
  contact: { serviceNumberId: string; contactId: string },
  { limit, cursor }: PageRequest,
): Promise<Page<ContactTagRecord>> {
  const after = decodeCursor(z.tuple([moment, keyText]), cursor);
  const found = await rows<ContactTagRecord>(
    database,
    `select a.tag_id, t.name, t.color, t.kind, t.expires_at, a.assigned_at, ${toMicroseconds('a.assigned_at')} as at,
       ${originColumns}
     from tag_assignment a join tag t using (tag_id)
     where a.tenant_id = :tenantId and a.contact_id = :contactId
       and t.service_number_id = :serviceNumberId and t.status <> 'archived'
       ${after ? `and (a.assigned_at, a.tag_id) < (${atMicroseconds('at')}, :tagId)` : ''}
     order by a.assigned_at desc, a.tag_id desc limit :rows`,
    { tenantId, ...contact, rows: limit + 1, at: after?.[0] ?? null, tagId: after?.[1] ?? null },
  );
  return pageOf(found, limit, (row) => [row.at, row.tagId]);
}
