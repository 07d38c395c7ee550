import { wakeEvaluators, driveSends } from '#activities/outreach/sends/drive.ts';
import type { CampaignBody } from '#domain/api/campaign.ts';
import { contentOf } from '#domain/campaigns/fields.ts';
import { createCampaign } from '#commands/outreach/campaigns/create-campaign.ts';
import type { CampaignRecord } from '#db/outreach/campaigns/campaigns.ts';
import { readTenantSettings } from '#commands/outreach/tenants/settings.ts';
import { sendCampaign } from '#commands/outreach/sends/send-campaign.ts';
import { currentRequestId } from '#api/http/request-id.ts';
import type { Actor } from '#api/backend/auth.ts';
import { authorOf, type BackendDeps } from '#api/backend/deps.ts';
import { refOf } from '../campaigns/campaign.ts';
import { checkDraft } from '../campaigns/content.ts';

/**
 * Starts a workflow that acts on rows already stored. If Temporal cannot be reached, the response stays the same: the
 * sweep starts what is missing.
 */
export async function drive({ logger }: BackendDeps, campaignId: string, start: () => Promise<unknown>): Promise<void> {
  try {
    await start();
  } catch (error) {
    logger.warn(
      { err: error, campaignId, requestId: currentRequestId() },
      'a workflow could not be started; the sweep will start it',
    );
  }
}

/** The campaign as `wakeEvaluators` takes it. */
export const evaluationOf = (campaign: CampaignRecord) => ({
  ...refOf(campaign),
  variants: campaign.variants,
  steps: campaign.steps,
});

/** Starts or wakes what sends a campaign, and looks at its test and its steps. */
export async function driveCampaign(deps: BackendDeps, campaign: CampaignRecord): Promise<void> {
  await driveSends(deps, refOf(campaign));
  await wakeEvaluators(deps, evaluationOf(campaign));
}

/** The body with what the tenant's settings name, parameters of links and quiet hours, where it says nothing of them itself. */
export async function withUsual({ database }: BackendDeps, actor: Actor, body: CampaignBody): Promise<CampaignBody> {
  const { utm, quietHours } = await readTenantSettings(database, actor.tenantId);
  return {
    ...body,
    utm: body.utm === undefined ? utm : body.utm,
    ...(quietHours && { pace: { quietHours, ...body.pace } }),
  };
}

/** Creates a draft, for people and for tools. @throws Problem `invalid_content`. */
export async function createDraft(deps: BackendDeps, actor: Actor, body: CampaignBody): Promise<CampaignRecord> {
  const { database, now, appId } = deps;
  const at = now();
  const content = contentOf(await withUsual(deps, actor, body));
  return await createCampaign(database, authorOf(actor), content, {
    now: at,
    check: (transaction, content) => checkDraft(transaction, content, { ...actor, appId, now: at }),
  });
}

/** Sends a draft and starts its workflow, for people and for tools. @throws what sendCampaign throws. */
export async function sendDraft(
  deps: BackendDeps,
  actor: Actor,
  id: string,
  request: Omit<Parameters<typeof sendCampaign>[3], 'now'>,
): Promise<CampaignRecord> {
  const { campaign, dispatch } = await sendCampaign(deps.database, authorOf(actor), id, {
    ...request,
    now: deps.now(),
  });
  if (dispatch) {
    const send = { tenantId: actor.tenantId, campaignId: id, status: campaign.status, ...dispatch };
    await drive(deps, id, async () => {
      await deps.launcher.dispatch(send, { wake: true });
      await wakeEvaluators(deps, evaluationOf(campaign));
    });
  }
  return campaign;
}
