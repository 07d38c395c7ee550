import { invalidField, Problem } from '#domain/api/problem.ts';
import type { CampaignRecord } from '#db/outreach/campaigns/campaigns.ts';
import type { SubTaskRecord } from '#db/outreach/sends/sub-tasks.ts';
import { type Resolving, resolveSubTask } from '#commands/outreach/sends/resolve-sub-task.ts';
import type { Actor } from '#api/backend/auth.ts';
import { authorOf, type BackendDeps } from '#api/backend/deps.ts';
import { refOf } from '../campaigns/campaign.ts';
import { drive } from './commands.ts';

/** The platform may still respond to a more recent submission. */
const RESPONSE_SECONDS = 20;

interface ResolveCall {
  actor: Actor;
  campaign: Pick<CampaignRecord, 'tenantId' | 'serviceNumberId' | 'id' | 'status'>;
  key: string;
  outcome: { outcome: 'sent'; taskId: string } | { outcome: 'not_sent' };
}

/** What an operator said, with the status of the named task at the platform. */
async function confirm({ platform }: BackendDeps, { campaign, outcome }: ResolveCall): Promise<Resolving['outcome']> {
  if (outcome.outcome !== 'sent') return outcome;
  const task = await platform.readTask(campaign.tenantId, campaign.serviceNumberId, outcome.taskId);
  if (!task)
    throw new Problem('invalid_content', 'The platform does not know this task', {
      errors: [invalidField('/taskId', 'unknown_task')],
    });
  const { sent = null, delivered = null, failed = null, read = null } = task.summary ?? {};
  const counts = { recipientCount: task.recipientCount ?? null, sent, delivered, failed, read };
  return { ...outcome, status: task.status, counts };
}

/**
 * Stores an operator's finding about a sub-task with an unknown outcome.
 * @throws Problem `invalid_content` if the platform does not know the task, and what resolveSubTask throws.
 */
export async function resolveReported(deps: BackendDeps, call: ResolveCall): Promise<SubTaskRecord> {
  const { actor, campaign, key, outcome } = call;
  const confirmed = await confirm(deps, call);
  const now = deps.now();
  const submittedBefore = new Date(now.getTime() - RESPONSE_SECONDS * 1000);
  const subTask = await resolveSubTask(deps.database, authorOf(actor), {
    campaignId: campaign.id,
    key,
    outcome: confirmed,
    submittedBefore,
    now,
  });
  if (outcome.outcome === 'sent') {
    await drive(deps, campaign.id, () => deps.launcher.polling(refOf(campaign), { wake: true }));
  }
  return subTask;
}
