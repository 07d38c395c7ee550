import { forEachLimited } from '#activities/outreach/concurrency.ts';
import { storeReport } from '#activities/outreach/sends/report.ts';
import type { CampaignRecord } from '#db/outreach/campaigns/campaigns.ts';
import { type DueTask, failedTasks } from '#db/outreach/sends/polling.ts';
import { retryFailed } from '#commands/outreach/sends/retry-failed.ts';
import { Problem } from '#domain/api/problem.ts';
import { mayRetry } from '#domain/sends/actions.ts';
import type { Actor } from '#api/backend/auth.ts';
import { authorOf, type BackendDeps } from '#api/backend/deps.ts';
import { refOf } from '../campaigns/campaign.ts';
import { drive } from './commands.ts';

/** A2 calls while a caller waits; further sub-tasks that have a task are left for another call. */
const ASKED_AT_MOST = 1000;
const ASKED_AT_ONCE = 16;

/** What the platform said about the tasks of failed sub-tasks. */
interface Asked {
  /** Keys of the requested sub-tasks. */
  keys: string[];
  /** Why it could not be asked about another; null if it could. */
  problem: Problem | null;
}

async function askAbout(deps: BackendDeps, campaign: CampaignRecord, task: DueTask): Promise<void> {
  const { tenantId } = campaign;
  const report = await deps.platform.readTask(tenantId, task.serviceNumberId, task.taskId);
  const polling = { database: deps.database, firstIntervalMs: deps.pollIntervalMs };
  if (report) await storeReport(polling, { tenantId, now: deps.now() }, task, report);
}

async function askAboutFailed(deps: BackendDeps, campaign: CampaignRecord): Promise<Asked> {
  const asked: Asked = { keys: [], problem: null };
  if (!mayRetry({ ...campaign, isBeingChanged: campaign.pendingEdit !== null })) return asked;
  const key = { tenantId: campaign.tenantId, campaignId: campaign.id };
  const tasks = await failedTasks(deps.database, { ...key, limit: ASKED_AT_MOST });
  await forEachLimited(tasks, ASKED_AT_ONCE, async (task) => {
    try {
      await askAbout(deps, campaign, task);
      asked.keys.push(task.key);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      asked.problem = error;
    }
  });
  if (asked.keys.length > 0)
    await drive(deps, campaign.id, () => deps.launcher.polling(refOf(campaign), { wake: true }));
  return asked;
}

/**
 * Sends again to those who certainly received nothing, once the platform has been asked (A2) about every task among
 * them: what is sent after all is not sent again.
 * @throws Problem of retryFailed, or `unavailable` if nothing can be retried because the platform cannot be asked.
 */
export async function retryFailedSubTasks(
  deps: BackendDeps,
  actor: Actor,
  loaded: CampaignRecord,
  idempotencyKey: string | null,
): Promise<CampaignRecord> {
  const { keys, problem } = await askAboutFailed(deps, loaded);
  const request = { idempotencyKey, now: deps.now(), asked: keys };
  const { campaign, dispatch } = await retryFailed(deps.database, authorOf(actor), loaded.id, request).catch(
    (error: unknown) => {
      throw problem && error instanceof Problem && error.code === 'invalid_state' ? problem : error;
    },
  );
  if (dispatch) {
    const send = { tenantId: actor.tenantId, campaignId: loaded.id, status: campaign.status, ...dispatch };
    await drive(deps, loaded.id, () => deps.launcher.dispatch(send, { wake: true }));
  }
  return campaign;
}
