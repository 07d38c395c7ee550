import { campaignOperations } from '#domain/api/campaigns.ts';
import { Problem } from '#domain/api/problem.ts';
import { mapPage } from '#domain/cursor.ts';
import { findSubTask, listSubTasks } from '#db/outreach/sends/sub-tasks.ts';
import type { BackendDeps, ServeActor } from '#api/backend/deps.ts';
import { presentSubTask } from './present.ts';
import { sendTest } from './test-send.ts';
import { resolveReported } from './resolving.ts';
import type { CampaignLoader } from '../campaigns/campaign.ts';
import { ifMatch } from '#api/backend/if-match.ts';

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
    handle: async ({ actor, params, body, loaded }) =>
      presentSubTask(await resolveReported(deps, { actor, campaign: loaded, key: params.key, outcome: body })),
  });

  serve(campaignOperations.testSendCampaign, {
    load,
    handle: ({ actor, body, headers, loaded }) => {
      const { contactIds, variant = null } = body;
      return sendTest(deps, actor, loaded, { contactIds, variant, checkRevision: ifMatch(headers['if-match']) });
    },
  });
}
