import type { SubTask } from '../../../../domain/api/campaign.ts';
import { campaignOperations } from '../../../../domain/api/campaigns.ts';
import { Problem, invalidField } from '../../../../domain/api/problem.ts';
import { mapPage } from '../../../../domain/cursor.ts';
import type { CampaignRecord } from '../../../../db/outreach/campaigns/campaigns.ts';
import { type Resolving, resolveSubTask } from '../../../../db/outreach/sends/resolution.ts';
import { findSubTask, listSubTasks } from '../../../../db/outreach/sends/sub-tasks.ts';
import type { Actor } from '../../auth.ts';
import { authorOf, type BackendDeps, type ServeActor } from '../../deps.ts';
import { presentSubTask } from './present.ts';
import { sendTest } from './test-send.ts';
import { drive } from './commands.ts';
import { type CampaignLoader, refOf } from '../campaigns/campaign.ts';

/** The platform may still respond to a more recent submission. */
const RESPONSE_SECONDS = 20;

interface ResolveCall {
  actor: Actor;
  campaign: CampaignRecord;
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
  return { ...outcome, status: task.status };
}

async function resolve(deps: BackendDeps, call: ResolveCall): Promise<SubTask> {
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
  return presentSubTask(subTask);
}

/** Sub-tasks, test sends, and operators' decisions on sub-tasks whose outcome is unknown. */
export function subTaskRoutes(serve: ServeActor, deps: BackendDeps, load: CampaignLoader): void {
  const { database } = deps;

  serve(campaignOperations.listSubTasks, {
    load,
    handle: async ({ actor, params, query }) =>
      mapPage(await listSubTasks(database, actor.tenantId, params.id, query), presentSubTask),
  });

  serve(campaignOperations.resolveSubTask, {
    load: async ({ actor, params }) => {
      const campaign = await load({ actor, params });
      const subTask = await findSubTask(database, actor.tenantId, params.id, params.key);
      if (!subTask) throw new Problem('not_found', 'The campaign has no sub-task with this key');
      return campaign;
    },
    handle: ({ actor, params, body, loaded }) =>
      resolve(deps, { actor, campaign: loaded, key: params.key, outcome: body }),
  });

  serve(campaignOperations.testSendCampaign, {
    load,
    handle: ({ actor, body, headers, loaded }) => {
      const request = { contactIds: body.contactIds, idempotencyKey: headers['idempotency-key'] ?? null };
      return sendTest(deps, actor, loaded, request);
    },
  });
}
