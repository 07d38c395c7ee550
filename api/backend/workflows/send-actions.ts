import type { Client } from '@temporalio/client';
import { dispatchWorkflowId } from '#workflows/contracts/dispatch-campaign.ts';
import { pollWorkflowId } from '#workflows/contracts/poll-task-status.ts';
import { actionsIn, eventsOf, retriesIn } from './actions.ts';

/**
 * What the first send of a campaign cost the workflow server in billed actions, up to the last change of its status: what
 * follows are rare polls for reads. Null if the workflows are no longer kept.
 */
export async function actionsOfSend(client: Client, campaignId: string): Promise<number | null> {
  const [submitting, following] = await Promise.all([
    eventsOf(client, dispatchWorkflowId(campaignId, 1)),
    eventsOf(client, pollWorkflowId(campaignId)),
  ]);
  if (!submitting || !following) return null;
  const last = following.findLastIndex((event) => event.upsertWorkflowSearchAttributesEventAttributes);
  const counted = [...submitting, ...following.slice(0, last + 1)];
  return actionsIn(counted) + retriesIn(counted);
}
