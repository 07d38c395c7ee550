import { fileURLToPath } from 'node:url';
import { Client } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import type { Launcher, OutreachDeps } from '../../activities/outreach/deps.ts';
import { createOutreachActivities } from '../../activities/outreach/index.ts';
import { createLauncher } from '../../api/backend/launch.ts';
import type { Database } from '../../db/database.ts';
import { buildIfChanged } from '../../scripts/build/inputs.ts';
import { workflowBundle } from '../../scripts/build/targets.ts';
import { taskQueues, workerOptions } from '../../temporal.config.ts';
import { testDeps } from './outreach-flows.ts';
import { createNamespace } from './temporal.ts';

/** The bundle that production runs, built where its sources changed. */
export async function productionBundle(): Promise<{ codePath: string }> {
  await buildIfChanged(workflowBundle);
  return { codePath: fileURLToPath(new URL('../../dist/workflow-bundle.js', import.meta.url)) };
}

/** What a workflow tells staff about where it stands; undefined where it said nothing. */
export async function currentDetails(client: Client, workflowId: string): Promise<string | undefined> {
  const metadata = await client.workflow
    .getHandle(workflowId)
    .query<{ currentDetails?: string }>('__temporal_workflow_metadata');
  return metadata.currentDetails || undefined;
}

export interface OutreachWorker {
  client: Client;
  launcher: Launcher;
  deps: OutreachDeps;
  stop(): Promise<void>;
}

/** A worker of queue `outreach` in a namespace of its own, on real parts. */
export async function startOutreachWorker(
  database: Database,
  baseUrl: string,
  settings: Partial<OutreachDeps['settings']> = {},
  more: Partial<OutreachDeps> = {},
): Promise<OutreachWorker> {
  const workflowCode = await productionBundle();
  const namespace = await createNamespace();
  const launcher = createLauncher(namespace.client);
  const defaults = testDeps(database, baseUrl, more);
  const deps = { ...defaults, launcher, settings: { ...defaults.settings, ...settings } };
  const worker = await Worker.create({
    ...workerOptions,
    connection: namespace.nativeConnection,
    namespace: namespace.namespace,
    taskQueue: taskQueues.outreach,
    workflowBundle: workflowCode,
    activities: createOutreachActivities(deps),
    shutdownGraceTime: '1 second',
  });
  const running = worker.run();
  return {
    client: namespace.client,
    launcher,
    deps,
    stop: async () => {
      worker.shutdown();
      await running;
      await defaults.close();
      await namespace.close();
    },
  };
}
