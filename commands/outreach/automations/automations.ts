import type { Transaction } from '#db/database.ts';
import { type Author, recordAudit } from '#db/outreach/audit/record.ts';
import { type AutomationKey, type AutomationRecord, findAutomation } from '#db/outreach/automations/automations.ts';
import { lockCampaigns } from '#db/outreach/sends/ledger/campaign-lock.ts';
import { Problem } from '#domain/api/problem.ts';
import { audited } from './content.ts';

export async function reread(transaction: Transaction, key: AutomationKey): Promise<AutomationRecord> {
  const row = await findAutomation(transaction, key);
  if (!row) throw new Problem('not_found', 'There is no automation with this id');
  return row;
}

/** The automation, whose campaign is locked until the transaction ends. @throws Problem `not_found`. */
export async function lockAutomation(transaction: Transaction, key: AutomationKey): Promise<AutomationRecord> {
  await lockCampaigns(transaction, [key.automationId]);
  return await reread(transaction, key);
}

export type AutomationAction =
  | 'create'
  | 'update'
  | 'delete'
  | 'activate'
  | 'pause'
  | 'resume'
  | 'end'
  | 'request_approval'
  | 'approve'
  | 'reject'
  | 'withdraw';

interface Change {
  before?: AutomationRecord;
  after?: AutomationRecord;
  /** What else the log says of it. */
  more?: object;
}

export async function noteChange(
  transaction: Transaction,
  author: Author,
  action: AutomationAction,
  { before, after, more }: Change,
): Promise<void> {
  await recordAudit(transaction, author, {
    action: `automation.${action}`,
    objectType: 'automation',
    objectId: (after ?? before)?.automationId ?? '',
    before: before && audited(before),
    after: after && { ...audited(after), ...more },
  });
}

export const refuse = ({ status }: AutomationRecord, verb: string) =>
  new Problem('invalid_state', `An automation that is ${status} cannot be ${verb}`);

export const isWaiting = ({ approval }: AutomationRecord): boolean => approval !== null && approval.outcome === null;
