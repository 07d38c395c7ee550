import { type Database, rows } from '#db/database.ts';
import type { Erasure } from '#db/outreach/erasure/erasures.ts';
import {
  deleteAssignment,
  deleteMember,
  deleteReplacedMember,
  serviceNumbersIn,
} from '#db/outreach/erasure/profile.ts';

/** Deletes what the platform reported about the contact. Locks those rows, in one transaction of milliseconds. */
export function deleteProfiles(database: Database, { tenantId, contactId }: Erasure): Promise<void> {
  return database.transaction(async (transaction) => {
    // History last: concurrent profile changes add to it.
    for (const table of ['contact_event', 'contact_profile', 'contact_profile_past'] as const)
      await rows(
        transaction,
        `delete from ${table} where tenant_id = :tenantId and contact_id = :contactId
           and service_number_id in (${serviceNumbersIn(table)})`,
        { tenantId, contactId },
      );
  });
}

/** Deletes the contact's tags. Locks one tag at a time, as assigning it does. */
export async function deleteTags(database: Database, { tenantId, contactId }: Erasure): Promise<void> {
  const tags = await rows<{ tagId: string }>(
    database,
    'select tag_id from tag_assignment where tenant_id = :tenantId and contact_id = :contactId order by tag_id',
    { tenantId, contactId },
  );
  for (const { tagId } of tags)
    await database.transaction(async (transaction) => {
      await rows(transaction, 'select 1 from tag where tag_id = :tagId for no key update', { tagId });
      await rows(transaction, deleteAssignment, { tenantId, tagId, contactId });
    });
  await rows(database, 'delete from tag_assignment_past where tenant_id = :tenantId and contact_id = :contactId', {
    tenantId,
    contactId,
  });
  await rows(
    database,
    `delete from removed_assignment x using tag t
     where t.tenant_id = :tenantId and x.tag_id = t.tag_id and x.contact_id = :contactId`,
    { tenantId, contactId },
  );
}

/** Takes the contact out of those whom test sends may reach. */
export async function deleteTestContact(database: Database, { tenantId, contactId }: Erasure): Promise<void> {
  await rows(
    database,
    `update tenant set test_contacts = (
       select coalesce(jsonb_agg(one order by place), '[]')
       from jsonb_array_elements(test_contacts) with ordinality as each (one, place)
       where one ->> 'contactId' <> :contactId)
     where tenant_id = :tenantId and test_contacts @> jsonb_build_array(jsonb_build_object('contactId', :contactId::text))`,
    { tenantId, contactId },
  );
}

/** Takes the contact out of saved lists, and of those that files replaced. Locks one list at a time, as replacing it does. */
export async function deleteMemberships(database: Database, { tenantId, contactId }: Erasure): Promise<void> {
  const lists = await rows<{ audienceId: string }>(
    database,
    `select a.audience_id from audience a where a.tenant_id = :tenantId and (
       exists (select 1 from audience_member m where m.audience_id = a.audience_id and m.contact_id = :contactId)
       or exists (select 1 from audience_replaced r
         where r.audience_id = a.audience_id and r.contact_ids @> array[:contactId::text]))
     order by a.audience_id`,
    { tenantId, contactId },
  );
  for (const { audienceId } of lists)
    await database.transaction(async (transaction) => {
      await rows(transaction, 'select 1 from audience where audience_id = :audienceId for update', { audienceId });
      await rows(transaction, deleteMember, { audienceId, contactId });
      await rows(transaction, deleteReplacedMember, { audienceId, contactId });
    });
}
