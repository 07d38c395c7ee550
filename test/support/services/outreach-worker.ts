import { join } from 'node:path';
import { Client } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { type NativeConnection, Worker } from '@temporalio/worker';
import type { Launcher, OutreachDeps } from '#activities/outreach/deps.ts';
import { createOutreachActivities, type OutreachActivities } from '#activities/outreach/index.ts';
import { createLauncher } from '#api/backend/launch.ts';
import type { Database } from '#db/database.ts';
import { findCampaignNames } from '#db/outreach/campaigns/names.ts';
import { buildIfChanged } from '#scripts/build/inputs.ts';
import { workflowBundle } from '#scripts/build/targets.ts';
import { projectFolder } from '#scripts/start/services.ts';
import { taskQueues, workerOptions } from '#temporal.config.ts';
import { testDeps } from './outreach-flows.ts';
import { createNamespace, createTimeSkipping } from '../servers/temporal.ts';

/** The bundle that production runs, without or with TEMPORAL_PAYLOAD_KEYS, rebuilt if its sources changed. */
export async function productionBundle(target = workflowBundle): Promise<{ codePath: string }> {
  await buildIfChanged(target);
  return { codePath: join(projectFolder, target.output) };
}

/** What a workflow reports to staff about its progress; undefined if nothing. */
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

/**
 * Runs a worker of queue `outreach` with the production bundle.
 * @returns how to end it.
 */
async function runWorker(server: {
  connection: NativeConnection;
  namespace?: string;
  activities: OutreachActivities;
}): Promise<() => Promise<void>> {
  const worker = await Worker.create({
    ...workerOptions,
    ...server,
    taskQueue: taskQueues.outreach,
    workflowBundle: await productionBundle(),
    shutdownGraceTime: '1 second',
  });
  const running = worker.run();
  return async () => {
    worker.shutdown();
    await running;
  };
}

/** A worker of queue `outreach` in its own namespace, with real dependencies. */
export async function startOutreachWorker(
  database: Database,
  baseUrl: string,
  settings: Partial<OutreachDeps['settings']> = {},
  more: Partial<OutreachDeps> = {},
): Promise<OutreachWorker> {
  const namespace = await createNamespace();
  const launcher = createLauncher(namespace.client, (campaign) => findCampaignNames(database, campaign));
  const defaults = testDeps(database, baseUrl, more);
  const deps = { ...defaults, launcher, settings: { ...defaults.settings, ...settings } };
  const end = await runWorker({
    connection: namespace.nativeConnection,
    namespace: namespace.namespace,
    activities: createOutreachActivities(deps),
  });
  return {
    client: namespace.client,
    launcher,
    deps,
    stop: async () => {
      await end();
      await defaults.close();
      await namespace.close();
    },
  };
}

export interface JumpingWorker {
  environment: TestWorkflowEnvironment;
  launcher: Launcher;
  /** One run of a workflow that a Schedule starts in production: this server does not support Schedules. */
  run<Result>(workflowType: string): Promise<Result>;
  stop(): Promise<void>;
}

/** A worker of queue `outreach` on a server whose clock jumps, see `createTimeSkipping`; `around` wraps its activities. */
export async function startJumpingWorker(
  makeDeps: (launcher: Launcher) => ReturnType<typeof testDeps>,
  around: (activities: OutreachActivities, environment: TestWorkflowEnvironment) => OutreachActivities = (given) =>
    given,
): Promise<JumpingWorker> {
  const environment = await createTimeSkipping();
  const launcher = createLauncher(environment.client);
  const deps = makeDeps(launcher);
  const activities = around(createOutreachActivities(deps), environment);
  const end = await runWorker({ connection: environment.nativeConnection, activities });
  let runs = 0;
  return {
    environment,
    launcher,
    run: (workflowType) => {
      runs += 1;
      return environment.client.workflow.execute(workflowType, {
        taskQueue: taskQueues.outreach,
        workflowId: `${workflowType}-${runs}`,
        args: [],
        // When a run ends, this server's clock advances to the run's timeout: ten years by default.
        workflowExecutionTimeout: '20 seconds',
      });
    },
    stop: async () => {
      await end();
      await deps.close();
      await environment.teardown();
    },
  };
}
