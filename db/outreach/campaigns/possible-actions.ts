import type { PossibleActions } from '#domain/api/campaign-snapshots.ts';
import { type Database, firstRow } from '#db/database.ts';
import { preparingContacts } from '../sends/freezing.ts';
import { cancellable } from '../sends/states.ts';
import type { CampaignRecord } from './campaigns.ts';
import { stageOf } from '../sends/editing/edits.ts';
import { inDoubt, nothingSent } from '../sends/ledger/conditions.ts';
import { recipientsKept } from '../retention/sends.ts';
import { mayRetry } from '../sends/retries.ts';

interface Contacts {
  preparing: number;
  pending: number;
  cancellable: number;
  nothingSent: number;
  undecided: number;
  scheduledAt: Date | null;
}

const sum = (condition: string) => `coalesce(sum(contact_count) filter (where ${condition}), 0)`;

const countContacts = `
  select ${preparingContacts(':campaignId')} as preparing, ${sum(`t.status = 'pending'`)} as pending,
    ${sum(cancellable)} as cancellable,
    ${sum(`${nothingSent} and ${recipientsKept}`)} as nothing_sent,
    ${sum(inDoubt)} as undecided,
    (select d.scheduled_at from dispatch d where d.tenant_id = :tenantId and d.campaign_id = :campaignId
      order by d.number desc limit 1) as scheduled_at
  from broadcast_task t
  where t.tenant_id = :tenantId and t.campaign_id = :campaignId and t.superseded_by is null`;

/** What can be done with a campaign now, according to the conditions of the actions themselves. */
export async function readPossibleActions(
  database: Database,
  campaign: CampaignRecord,
  now: Date,
): Promise<PossibleActions> {
  const { tenantId, id, status, cancelRequested } = campaign;
  const found = await firstRow<Contacts>(database, countContacts, { tenantId, campaignId: id });
  const none = { preparing: 0, pending: 0, cancellable: 0, nothingSent: 0, undecided: 0, scheduledAt: null };
  const contacts = found ?? none;
  const unsubmitted = contacts.preparing + contacts.pending;
  const stoppable = contacts.preparing + contacts.cancellable;
  const given = (possible: boolean, count: number) => (possible ? count : null);
  const isOpen = status === 'sending' || status === 'scheduled';
  const isPausable = isOpen && !cancelRequested && unsubmitted > 0;
  const isRetriable = mayRetry(campaign) && contacts.nothingSent > 0;
  const isEditable =
    stageOf(campaign, contacts, now) === 'scheduled' && campaign.pendingEdit === null && contacts.undecided === 0;
  return {
    edit: given(isEditable, stoppable),
    pause: given(isPausable, unsubmitted),
    resume: given(status === 'paused' && campaign.pauseReason !== 'approval', unsubmitted),
    cancel: given((isOpen || status === 'paused') && stoppable > 0, stoppable),
    close: given(status !== 'draft' && status !== 'closed', stoppable),
    retry: given(isRetriable, contacts.nothingSent),
  };
}
