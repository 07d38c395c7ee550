import type { SendFacts } from '#domain/sends/actions.ts';
import { type Database, firstRow } from '#db/database.ts';
import type { CampaignRecord } from '../campaigns/campaigns.ts';
import { recipientsKept } from '../retention/sends.ts';
import { preparingContacts } from './freezing.ts';
import { inDoubt, nothingSent } from './ledger/conditions.ts';

/** SQL condition on a sub-task `t`: not known to have begun. What is in flight or unknown can be a scheduled task. */
const cancellable = `t.status in ('pending', 'scheduled', 'submitting', 'unknown')`;

const contacts = (condition: string) => `coalesce(sum(contact_count) filter (where ${condition}), 0)::int`;

const newest = (column: string) => `(select ${column} from dispatch d
  where d.tenant_id = :tenantId and d.campaign_id = :campaignId order by d.number desc limit 1)`;

const countContacts = `
  select ${preparingContacts(':campaignId')}::int as preparing, ${contacts(`t.status = 'pending'`)} as pending,
    ${contacts(`t.status = 'submitting'`)} as submitting, ${contacts(cancellable)} as cancellable,
    ${contacts(`t.status in ('scheduled', 'submitting')`)} as at_platform,
    ${contacts(`${nothingSent} and ${recipientsKept}`)} as nothing_sent, ${contacts(inDoubt)} as in_doubt,
    exists (select 1 from dispatch d where d.tenant_id = :tenantId and d.campaign_id = :campaignId
      and d.frozen_at is null) as is_preparing,
    coalesce(${newest('d.scheduled_at > :now')}, false) as before_start,
    coalesce(${newest('d.frozen_at is null and d.frozen_count = 0 and d.freeze_at > :now')}, false) as unresolved
  from broadcast_task t
  where t.tenant_id = :tenantId and t.campaign_id = :campaignId and t.superseded_by is null`;

type Counted = SendFacts['contacts'] & { isPreparing: boolean; beforeStart: boolean; unresolved: boolean };

/** What decides which actions a campaign's sends allow now, whether or not the caller holds its lock. */
export async function readSendFacts(database: Database, campaign: CampaignRecord, now: Date): Promise<SendFacts> {
  const { tenantId, id, status, pauseReason, cancelRequested, approval, pendingEdit } = campaign;
  const found = await firstRow<Counted>(database, countContacts, { tenantId, campaignId: id, now });
  if (!found) throw new Error('an aggregate has one row');
  const { isPreparing, beforeStart, unresolved, ...counted } = found;
  return {
    status,
    pauseReason,
    cancelRequested,
    awaitsApproval: approval?.outcome === null,
    isBeingChanged: pendingEdit !== null,
    beforeStart,
    unresolved,
    preparing: isPreparing,
    contacts: counted,
  };
}
