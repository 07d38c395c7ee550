import { type Database, rows, type Transaction } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { casesOfContacts } from '#db/outreach/sends/cases.ts';
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

/** The contacts of one call: those of a case, by its number; null without cases. */
export interface TestSendPart {
  key: string;
  messageCase: number | null;
  contactIds: string[];
}

/** One call for each case, and one for all without cases. @throws Problem `invalid_content` for contacts that get nothing. */
async function partsOf(
  transaction: Transaction,
  campaign: CampaignRecord,
  { contactIds, keyOf }: Pick<TestSendCall, 'contactIds' | 'keyOf'>,
): Promise<TestSendPart[]> {
  const { messagesBy } = campaign;
  const once = [...new Set(contactIds)];
  if (messagesBy === null) return [{ key: keyOf(), messageCase: null, contactIds: once }];
  const cases = await casesOfContacts(transaction, campaign, { messagesBy, contactIds: once });
  const errors: FieldError[] = contactIds.flatMap((id, index) =>
    cases.has(id) ? [] : [invalidField(`/contactIds/${index}`, 'no_case', { contactId: id })],
  );
  if (errors.length > 0) throw new Problem('invalid_content', 'Some contacts are in no case', { errors });
  return [...new Set(cases.values())].map((messageCase) => ({
    key: keyOf(),
    messageCase,
    contactIds: once.filter((id) => cases.get(id) === messageCase),
  }));
}

export interface TestSendCall {
  /** A new key for one call. */
  keyOf: () => string;
  /** The name of the variant that is tried; null for the campaign's own messages. */
  variant: string | null;
  contactIds: string[];
  now: Date;
  /** @throws what refuses it */
  check: () => void;
}

/**
 * Records a test send before its calls.
 * @throws Problem `test_contacts_only`; `invalid_content` for contacts that are unknown or not reachable, and for a service number that is
 * not active, or that are in no case; what `check` throws.
 */
export function prepareTestSend(
  database: Database,
  author: Author,
  campaign: CampaignRecord,
  { keyOf, variant, contactIds, now, check }: TestSendCall,
): Promise<TestSendPart[]> {
  const { tenantId } = author;
  return database.transaction(async (transaction) => {
    await assertTestContacts(transaction, campaign, contactIds);
    check();
    await assertActiveServiceNumber(transaction, tenantId, campaign.serviceNumberId);
    await rejectUnreachable(transaction, campaign, contactIds);
    const parts = await partsOf(transaction, campaign, { contactIds, keyOf });
    const keys = parts.map(({ key }) => key);
    await rows(
      transaction,
      `insert into test_send (key, tenant_id, campaign_id, contact_count, created_at)
       select key, :tenantId, :campaignId, contact_count, :now::timestamptz
       from unnest(:keys::text[], :counts::int[]) as g (key, contact_count)`,
      { keys, counts: parts.map((part) => part.contactIds.length), tenantId, campaignId: campaign.id, now },
    );
    await recordAudit(transaction, author, {
      action: 'campaign.test_send',
      objectType: 'campaign',
      objectId: campaign.id,
      after: { contacts: new Set(contactIds).size, key: keys.join(' '), ...(variant === null ? {} : { variant }) },
    });
    return parts;
  });
}
