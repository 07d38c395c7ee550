import { Context } from '@temporalio/activity';
import { freezeNextPage } from '#commands/outreach/sends/freeze-page.ts';
import { withHeartbeat } from '../concurrency.ts';
import type { OutreachDeps, Send } from '../deps.ts';

async function freeze({ database, now }: OutreachDeps, send: Send, cancelled: AbortSignal): Promise<void> {
  const { tenantId, dispatchId } = send;
  while (!cancelled.aborted) if (await freezeNextPage(database, { tenantId, dispatchId }, now())) return;
  await Context.current().cancelled;
}

export function createFreezeActivities(deps: OutreachDeps) {
  return {
    /** Puts the rest of the send's audience into its snapshot and sub-tasks; continues where it was interrupted. */
    freezeAudience: (send: Send): Promise<void> => withHeartbeat((cancelled) => freeze(deps, send, cancelled)),
  };
}
