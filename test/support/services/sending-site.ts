import { MockActivityEnvironment } from '@temporalio/testing';
import type { OutreachDeps } from '#activities/outreach/deps.ts';
import { createOutreachActivities } from '#activities/outreach/index.ts';
import type { PollResult } from '#activities/outreach/sends/poll.ts';
import { type Database, rows } from '#db/database.ts';
import { testDeps, testEncryption } from './outreach-flows.ts';
import { seedSend, seedTenant, type SendOptions, type TestSend } from '../outreach/rows.ts';
import { startRecordingPlatform } from '../doubles/recording-platform.ts';

/** The surroundings of a send's activities: an installed tenant's rows, and a platform that records its calls. */
export async function openSendingSite(database: Database, more: Partial<OutreachDeps> = {}) {
  const platform = await startRecordingPlatform();
  const deps = testDeps(database, platform.baseUrl, more);
  const tenant = await seedTenant(database, testEncryption);
  const activities = createOutreachActivities(deps);
  /** Runs an activity as a worker does. */
  const run = <Result>(work: () => Promise<Result>) => new MockActivityEnvironment().run(work) as Promise<Result>;
  return {
    platform,
    deps,
    tenant,
    activities,
    run,
    seedSend: (options: SendOptions) => seedSend(database, tenant.tenantId, options),
    /** Submits the pending sub-tasks of the send. */
    submit: ({ tenantId, dispatchId }: TestSend) =>
      run(() => activities.submitBroadcasts({ tenantId, dispatchId, from: 0, to: 99 })),
    /** Makes whatever is still polled due. */
    due: ({ campaignId }: TestSend) =>
      rows(
        database,
        `update broadcast_task set next_poll_at = now() - interval '1 second'
         where campaign_id = :campaignId and next_poll_at is not null`,
        { campaignId },
      ),
    /** One round of polling: its result, or the milliseconds until the next round. */
    poll: async (
      { tenantId, campaignId }: TestSend,
      status: PollResult['status'] = 'sending',
    ): Promise<PollResult | number> => {
      try {
        return await run(() => activities.pollTasks({ tenantId, campaignId, status }));
      } catch (error) {
        const failure = error as { type?: string; nextRetryDelay?: number };
        if (failure.type !== 'PollAgain') throw error;
        return Number(failure.nextRetryDelay);
      }
    },
    close: async () => {
      await deps.close();
      await platform.close();
    },
  };
}

export type SendingSite = Awaited<ReturnType<typeof openSendingSite>>;
