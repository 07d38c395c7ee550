import type { AutomationTrigger } from '#domain/api/automations.ts';
import { type FieldError, invalidField } from '#domain/api/problem.ts';
import { type Database, rows } from '#db/database.ts';
import type { AudienceOwner } from '../audiences/owner.ts';
import { faultsInSegment } from '../audiences/segments/references.ts';
import { isThere } from '../audiences/valid-tag.ts';

async function unknownTag(database: Database, owner: AudienceOwner, tagId: string): Promise<FieldError[]> {
  const found = await rows(
    database,
    `select 1 from tag where tenant_id = :tenantId and service_number_id = :serviceNumberId and tag_id = :tagId
       and ${isThere(undefined)}`,
    { ...owner, tagId },
  );
  return found.length > 0 ? [] : [invalidField('/trigger/tagId', 'unknown_or_archived')];
}

async function unknownCampaigns(database: Database, owner: AudienceOwner, ids: string[]): Promise<FieldError[]> {
  const found = await rows<{ campaignId: string }>(
    database,
    `select campaign_id from campaign
     where tenant_id = :tenantId and service_number_id = :serviceNumberId and campaign_id = any(:ids)`,
    { ...owner, ids },
  );
  const known = new Set(found.map(({ campaignId }) => campaignId));
  return ids.flatMap((id, index) =>
    known.has(id) ? [] : [invalidField(`/trigger/campaignIds/${index}`, 'unknown_campaign')],
  );
}

/** A field error for each tag, list and campaign of a trigger that its service number does not have, and what is missing beside another. */
export async function unknownInTrigger(
  database: Database,
  { tenantId, serviceNumberId }: AudienceOwner,
  trigger: AutomationTrigger,
): Promise<FieldError[]> {
  const owner = { tenantId, serviceNumberId };
  if (trigger.event === 'segment.entered')
    return await faultsInSegment(database, { ...owner, path: '/trigger/segment' }, trigger.segment);
  if ('minAmount' in trigger && trigger.minAmount !== undefined && trigger.currency === undefined)
    return [invalidField('/trigger/currency', 'currency_needed')];
  if ('tagId' in trigger) return await unknownTag(database, owner, trigger.tagId);
  if (trigger.event !== 'notice.clicked' || trigger.campaignIds === undefined) return [];
  return await unknownCampaigns(database, owner, trigger.campaignIds);
}
