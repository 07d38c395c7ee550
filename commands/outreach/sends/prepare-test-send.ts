import { type Database, rows, type Transaction } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import type { CampaignRecord } from '#db/outreach/campaigns/campaigns.ts';
import { type EarlierTestSend, findTestSend } from '#db/outreach/sends/test-sends.ts';
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
  idempotencyKey: string | null;
  /** The name of the variant that is tried; null for the campaign's own messages. */
  variant: string | null;
  contactIds: string[];
  now: Date;
  /** Called for a test that is not a repeated one. @throws what refuses it */
  check: () => void;
}

/**
 * Records a test send before its call. Of several with the same Idempotency-Key, one is recorded.
 * @returns the one recorded earlier with this Idempotency-Key; null if this one must be sent.
 * @throws Problem `test_contacts_only`; `invalid_content` for contacts that are unknown or not reachable, and for a service number that is
 * not active; what `check` throws.
 */
export function prepareTestSend(
  database: Database,
  author: Author,
  campaign: CampaignRecord,
  { key, idempotencyKey, variant, contactIds, now, check }: TestSendCall,
): Promise<EarlierTestSend | null> {
  const { tenantId } = author;
  const contactCount = new Set(contactIds).size;
  return database.transaction(async (transaction) => {
    const earlier = await findTestSend(transaction, campaign.id, idempotencyKey);
    if (earlier) return earlier;
    await assertTestContacts(transaction, campaign, contactIds);
    check();
    await assertActiveServiceNumber(transaction, tenantId, campaign.serviceNumberId);
    await rejectUnreachable(transaction, campaign, contactIds);
    const noted = await rows(
      transaction,
      `insert into test_send (key, tenant_id, campaign_id, idempotency_key, contact_count, created_at)
       values (:key, :tenantId, :campaignId, :idempotencyKey, :contactCount, :now)
       on conflict (campaign_id, idempotency_key) where idempotency_key is not null do nothing returning 1`,
      { key, tenantId, campaignId: campaign.id, idempotencyKey, contactCount, now },
    );
    if (noted.length === 0) return await findTestSend(transaction, campaign.id, idempotencyKey);
    await recordAudit(transaction, author, {
      action: 'campaign.test_send',
      objectType: 'campaign',
      objectId: campaign.id,
      after: { contacts: contactCount, key, ...(variant === null ? {} : { variant }) },
    });
    return null;
  });
}
