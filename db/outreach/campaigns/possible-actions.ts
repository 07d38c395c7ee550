import type { PossibleActions } from '../../../domain/api/campaign-snapshots.ts';
import { type Database, firstRow } from '../../database.ts';
import { cancellable } from '../sends/states.ts';
import type { CampaignRecord } from './campaigns.ts';
import { nothingSent } from '../sends/ledger/conditions.ts';
import { mayRetry } from '../sends/retries.ts';

interface Contacts {
  pending: number;
  cancellable: number;
  nothingSent: number;
}

const sum = (condition: string) => `coalesce(sum(contact_count) filter (where ${condition}), 0)`;

const countContacts = `
  select ${sum(`t.status = 'pending'`)} as pending, ${sum(cancellable)} as cancellable,
    ${sum(nothingSent)} as nothing_sent
  from broadcast_task t
  where t.tenant_id = :tenantId and t.campaign_id = :campaignId and t.superseded_by is null`;

/** What can be done with a campaign now, according to the conditions of the actions themselves. */
export async function readPossibleActions(database: Database, campaign: CampaignRecord): Promise<PossibleActions> {
  const { tenantId, id, status, cancelRequested } = campaign;
  const found = await firstRow<Contacts>(database, countContacts, { tenantId, campaignId: id });
  const contacts = found ?? { pending: 0, cancellable: 0, nothingSent: 0 };
  const given = (possible: boolean, count: number) => (possible ? count : null);
  const isOpen = status === 'sending' || status === 'scheduled';
  const isPausable = isOpen && !cancelRequested && contacts.pending > 0;
  const isRetriable = mayRetry(campaign) && contacts.nothingSent > 0;
  return {
    pause: given(isPausable, contacts.pending),
    resume: given(status === 'paused', contacts.pending),
    cancel: given((isOpen || status === 'paused') && contacts.cancellable > 0, contacts.cancellable),
    close: given(status !== 'draft' && status !== 'closed', contacts.cancellable),
    retry: given(isRetriable, contacts.nothingSent),
  };
}
