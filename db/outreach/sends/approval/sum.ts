import { firstRow, rows, type Transaction } from '#db/database.ts';
import type { CampaignKey } from '../ledger/campaign-key.ts';
import { type Grounds, isStepOfApproved } from './requests.ts';

/** SQL: the person behind an actor. A key of programs stands for whoever made it, as the audit log has it. */
const personBehind = (actor: string) => `case when ${actor} like 'key:%' then coalesce((
    select l.actor from audit_log l where l.tenant_id = :tenantId and l.object_type = 'api_key'
      and l.object_id = substr(${actor}, 5) and l.action = 'api_key.create' limit 1), ${actor}) else ${actor} end`;

// A retry is counted with what it retries: only first sends are, each whole but for what the platform has refused.
const sentAlone = `
  select coalesce(sum(greatest(s.contacts, 0)), 0)::int as contacts, min(s.began_at) as since
  from (
    select c.first_claimed_at as began_at, d.audience_count + d.control_count - (
        select coalesce(sum(t.contact_count), 0) from broadcast_task t
        where t.campaign_id = c.campaign_id and t.status = 'rejected' and t.superseded_by is null) as contacts
    from campaign c join dispatch d using (campaign_id)
    where c.tenant_id = :tenantId and c.campaign_id <> :campaignId and d.retry_of is null
      and c.service_number_id = (select service_number_id from campaign where campaign_id = :campaignId)
      and c.first_claimed_at > :now::timestamptz - interval '24 hours'
      and ${personBehind('d.created_by')} = ${personBehind(':person::text')}
      and not exists (select 1 from send_approval a where a.campaign_id = c.campaign_id and a.outcome = 'approved')
      and not ${isStepOfApproved('c.campaign_id')}) s`;

/**
 * Why a send to so many contacts needs approval: it has more than `above`, or the sends of its person to the service number that
 * began within the last day and that nobody approved have, together with it.
 * @returns null if it needs none.
 */
export async function groundsForApproval(
  transaction: Transaction,
  key: CampaignKey,
  { contacts, above, person, now }: { contacts: number; above: number; person: string; now: Date },
): Promise<Grounds | null> {
  if (contacts > above) return { reason: 'contacts', sum: null };
  const before = await firstRow<{ contacts: number; since: Date | null }>(transaction, sentAlone, {
    ...key,
    person,
    now,
  });
  if (!before?.since || before.contacts + contacts <= above) return null;
  return { reason: 'sum', sum: { contacts: before.contacts + contacts, since: before.since } };
}

/** Sends of a tenant that are decided about at the same moment wait for each other, so that each sees the one before. */
export async function decideOneByOne(transaction: Transaction, tenantId: string): Promise<void> {
  await rows(transaction, `select pg_advisory_xact_lock(hashtextextended('send approval ' || :tenantId::text, 0))`, {
    tenantId,
  });
}
