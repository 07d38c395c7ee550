import { type Database, rows, type Transaction } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import type { CampaignRecord } from '#db/outreach/campaigns/campaigns.ts';
import { type FieldError, invalidField, Problem } from '#domain/api/problem.ts';
import { assertActiveServiceNumber } from '../tenants/service-numbers.ts';
import { assertTestContacts } from '../tenants/test-contacts.ts';

/** @throws Problem `invalid_content` naming each contact that the service number does not reach. */
async function rejectUnreachable(
  transaction: Transaction,
  { tenantId, serviceNumberId }: CampaignRecord,
  contactIds: string[],
): Promise<void> {
  const found = await rows<{ contactId: string }>(
    transaction,
    `select contact_id from contact_profile
     where tenant_id = :tenantId and service_number_id = :serviceNumberId and contact_id = any(:contactIds)
       and follow_state = 'following' and not unsubscribed`,
    { tenantId, serviceNumberId, contactIds },
  );
  const reachable = new Set(found.map(({ contactId }) => contactId));
  const errors: FieldError[] = contactIds.flatMap((id, index) =>
    reachable.has(id) ? [] : [invalidField(`/contactIds/${index}`, 'unreachable_contact', { contactId: id })],
  );
  if (errors.length > 0) throw new Problem('invalid_content', 'Some contacts cannot be reached', { errors });
}

export interface TestSendCall {
  key: string;
  /** The name of the variant that is tried; null for the campaign's own messages. */
  variant: string | null;
  contactIds: string[];
  now: Date;
  /** @throws what refuses it */
  check: () => void;
}

/**
 * Records a test send before its call.
 * @throws Problem `test_contacts_only`; `invalid_content` for contacts that are unknown or not reachable, and for a service number that is
 * not active; what `check` throws.
 */
export function prepareTestSend(
  database: Database,
  author: Author,
  campaign: CampaignRecord,
  { key, variant, contactIds, now, check }: TestSendCall,
): Promise<void> {
  const { tenantId } = author;
  const contactCount = new Set(contactIds).size;
  return database.transaction(async (transaction) => {
    await assertTestContacts(transaction, campaign, contactIds);
    check();
    await assertActiveServiceNumber(transaction, tenantId, campaign.serviceNumberId);
    await rejectUnreachable(transaction, campaign, contactIds);
    await rows(
      transaction,
      `insert into test_send (key, tenant_id, campaign_id, contact_count, created_at)
       values (:key, :tenantId, :campaignId, :contactCount, :now)`,
      { key, tenantId, campaignId: campaign.id, contactCount, now },
    );
    await recordAudit(transaction, author, {
      action: 'campaign.test_send',
      objectType: 'campaign',
      objectId: campaign.id,
      after: { contacts: contactCount, key, ...(variant === null ? {} : { variant }) },
    });
  });
}
