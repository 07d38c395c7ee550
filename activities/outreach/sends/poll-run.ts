import type { CredentialSource } from '#clients/platform/gateway.ts';
import type { DueTask } from '#db/outreach/sends/polling.ts';
import { forEachLimited } from '../concurrency.ts';
import type { CampaignRef, OutreachDeps } from '../deps.ts';

/** Calls to the platform that one activity makes concurrently. */
const CALLS_AT_ONCE = 16;

/** Shared by the calls of one polling activity. */
export interface PollRun extends CampaignRef {
  credentials: CredentialSource;
  now: Date;
}

/** Makes each call in its turn; those without one are left out: in a pause, or because the activity is cancelled. */
export async function callInTurn(
  { pacing }: Pick<OutreachDeps, 'pacing'>,
  { tenantId, tasks, signal }: { tenantId: string; tasks: readonly DueTask[]; signal: AbortSignal },
  call: (task: DueTask) => Promise<void>,
): Promise<void> {
  await forEachLimited(tasks, CALLS_AT_ONCE, async (task) => {
    const turn = await pacing.turn(tenantId, { signal });
    if (!turn) return;
    try {
      await call(task);
    } finally {
      turn.end();
    }
  });
}
