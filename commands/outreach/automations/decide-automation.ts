import type { Database } from '#db/database.ts';
import type { Author } from '#db/outreach/audit/record.ts';
import type { AutomationRecord } from '#db/outreach/automations/automations.ts';
import { endApproval, openApproval } from '#db/outreach/sends/approval/requests.ts';
import { Problem } from '#domain/api/problem.ts';
import { assertAnother } from '../sends/approval/decisions.ts';
import { assertInstalled } from '../sends/dispatches.ts';
import { lockAutomation, noteChange, reread } from './automations.ts';
import { begin, goOn, type Move } from './move-automation.ts';

type Answer = { approvalId: string; now: Date } & (
  ({ outcome: 'approved' } & Omit<Move, 'now'>) | { outcome: 'rejected'; reason: string } | { outcome: 'withdrawn' }
);

const actions = { approved: 'approve', rejected: 'reject', withdrawn: 'withdraw' } as const;

/**
 * Answers the open request for approval of an automation. Once approved, a draft begins, and what was paused for it goes on;
 * otherwise it stays what it is.
 * @throws Problem `forbidden`, `own_request`, `not_found`, `invalid_state`, `invalid_content` if a draft is not valid any more.
 */
export function decideAutomation(
  database: Database,
  author: Author,
  automationId: string,
  answer: Answer,
): Promise<AutomationRecord> {
  const { tenantId, userId } = author;
  const { approvalId, outcome, now } = answer;
  return database.transaction(async (transaction) => {
    await assertInstalled(transaction, tenantId);
    const before = await lockAutomation(transaction, { tenantId, automationId });
    const request = await openApproval(transaction, { tenantId, campaignId: automationId });
    if (request?.approvalId !== approvalId)
      throw new Problem('invalid_state', 'This request for approval was decided about or withdrawn');
    if (outcome !== 'withdrawn') assertAnother(author, request);
    else if (userId !== request.requestedBy)
      throw new Problem('forbidden', 'Only the person who asked for approval can withdraw the request');
    const reason = outcome === 'rejected' ? { reason: answer.reason } : {};
    await endApproval(
      transaction,
      { tenantId, campaignId: automationId },
      { outcome, decidedBy: userId, ...reason, now },
    );
    if (outcome === 'approved') {
      const { appId, lookMs } = answer;
      const move = { startedBy: request.requestedBy, now, appId, lookMs };
      if (before.status === 'draft') await begin(transaction, before, move);
      else if (before.pauseReason === 'approval') await goOn(transaction, before, now);
    }
    const after = await reread(transaction, before);
    await noteChange(transaction, author, actions[outcome], { before, after, more: reason });
    return after;
  });
}
