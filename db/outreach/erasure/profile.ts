import { type Database, rows } from '#db/database.ts';
import type { Erasure } from './erasures.ts';

/** SQL: the service numbers that the tenant has rows of in `table`, each found by one look into its primary key. */
export const serviceNumbersIn = (table: 'contact_profile' | 'contact_profile_past' | 'contact_event'): string => `
  with recursive known(id) as (
    (select service_number_id from ${table} where tenant_id = :tenantId order by service_number_id limit 1)
    union all
    select (select x.service_number_id from ${table} x where x.tenant_id = :tenantId and x.service_number_id > known.id
      order by x.service_number_id limit 1)
    from known where known.id is not null)
  select id from known where id is not null`;

// The campaign that earned the tag keeps its conversion: the trigger that takes it away is made up for.
export const deleteAssignment = `
  with removed as (
    delete from tag_assignment where tenant_id = :tenantId and tag_id = :tagId and contact_id = :contactId
    returning source_campaign_id, assigned_at
  ), kept as (
    insert into conversion_hour as known (tenant_id, campaign_id, tag_id, at, contacts)
    select :tenantId, source_campaign_id, :tagId, date_trunc('hour', assigned_at, 'UTC'), count(*)
    from removed where source_campaign_id is not null group by 1, 2, 3, 4
    on conflict (tenant_id, campaign_id, tag_id, at) do update set contacts = known.contacts + excluded.contacts
  )
  update tag set contact_count = contact_count - (select count(*) from removed) where tag_id = :tagId`;

export const deleteMember = `
  with removed as (delete from audience_member where audience_id = :audienceId and contact_id = :contactId returning 1)
  update audience set member_count = member_count - (select count(*) from removed) where audience_id = :audienceId`;

export const deleteReplacedMember = `
  update audience_replaced set contact_ids = array_remove(contact_ids, :contactId)
  where audience_id = :audienceId and contact_ids @> array[:contactId::text]`;

/** SQL condition on a campaign: it lists the contact itself. */
export const listsContact = `audience ->> 'type' = 'contacts' and audience -> 'contactIds' @> to_jsonb(:contactId::text)`;

/**
 * Takes the contact out of the lists in campaigns themselves, drafts and others. Each is a new version, so that an open
 * editor does not bring the contact back. Locks one campaign at a time.
 */
export async function deleteFromCampaigns(
  database: Database,
  { tenantId, contactId }: Erasure,
  now: Date,
): Promise<void> {
  const campaigns = await rows<{ campaignId: string }>(
    database,
    `select campaign_id from campaign where tenant_id = :tenantId and ${listsContact} order by campaign_id`,
    { tenantId, contactId },
  );
  for (const { campaignId } of campaigns)
    await rows(
      database,
      `update campaign set updated_at = :now,
         audience = jsonb_set(audience, '{contactIds}', (audience -> 'contactIds') - :contactId::text)
       where campaign_id = :campaignId and ${listsContact}`,
      { campaignId, contactId, now },
    );
}
