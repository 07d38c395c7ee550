import type { Client } from '@temporalio/client';
import { createLauncher } from '#api/backend/launch.ts';
import { type Database, rows } from '#db/database.ts';
import { wantSourceUpdate } from '#db/outreach/campaigns/entry-sources.ts';
import type { Campaign } from '#domain/api/campaign.ts';
import { closeWorkflowId } from '#workflows/contracts/close-campaign.ts';
import { updateSourcesWorkflowId } from '#workflows/contracts/update-entry-sources.ts';
import type { JsonClient } from '../demo/client.ts';

export interface ClosingStory {
  tenantId: string;
  client: Client;
  database: Database;
  sandbox: JsonClient;
  api: JsonClient;
  /** Sends a campaign with an entry source, and waits for its end. */
  sendLinked: () => Promise<Campaign>;
}

/**
 * Entry sources that are updated and ended while responses get lost, and two runs that stay open: the platform
 * puts off F2 and F3 for ten minutes, even after this story.
 */
export async function playClosing(story: ClosingStory): Promise<void> {
  const { tenantId, client, database, sandbox, api } = story;
  const launcher = createLauncher(client);
  const fault = (...faults: object[]) => sandbox.put('/sandbox/faults', { faults });
  const result = (workflowId: string) => client.workflow.getHandle(workflowId).result();
  const rename = async (campaignId: string) => {
    await database.transaction(async (transaction) => {
      await rows(transaction, `update campaign set name = name || '!' where campaign_id = :campaignId`, { campaignId });
      await wantSourceUpdate(transaction, { tenantId, campaignId });
    });
    await launcher.sourceUpdates({ tenantId, campaignId }, { wake: true });
  };

  await fault({ route: 'F2', mode: 'lost-answer', count: 1 }, { route: 'F3', mode: 'lost-answer', count: 1 });
  const first = await story.sendLinked();
  await launcher.closing({ tenantId, campaignId: first.id }, { wake: false });
  await result(closeWorkflowId(first.id));
  await rename(first.id);
  await result(updateSourcesWorkflowId(first.id));
  await api.post(`/campaigns/${first.id}:close`);
  await result(closeWorkflowId(first.id));

  const putOff = { mode: 'status', status: 429, code: 'rate_limited', retryAfter: 600 };
  const second = await story.sendLinked();
  const third = await story.sendLinked();
  // From then on nothing is called for the tenant.
  await fault({ route: 'F2', ...putOff }, { route: 'F3', ...putOff });
  await rename(second.id);
  await api.post(`/campaigns/${third.id}:close`);
}
