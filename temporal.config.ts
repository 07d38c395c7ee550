import type { WorkerOptions } from '@temporalio/worker';
import type { ActivityOptions } from '@temporalio/workflow';

// Every run of a workflow evaluates this module: it stays small and imports nothing but types.

/** One task queue per service, polled by that service's own worker. */
export const taskQueues = { bff: 'bff', outreach: 'outreach', orders: 'orders' } as const;
export type TaskQueue = (typeof taskQueues)[keyof typeof taskQueues];

/** Search attributes that on-call staff filter by; registered at startup, all as Keyword. */
export const searchAttributes = ['TenantId', 'CampaignId', 'OrderId', 'BizStatus'] as const;

/**
 * Development server settings, each for a measured reason: a file keeps state across restarts, WAL with normal
 * sync triples the throughput, and the transfer queue's default of 20 polls per second adds 50 ms to every hop.
 */
export const developmentServerArguments = [
  '--sqlite-pragma',
  'journal_mode=wal',
  '--sqlite-pragma',
  'synchronous=1',
  '--dynamic-config-value',
  'history.transferProcessorMaxPollRPS=2000',
];

/** Closed workflows stay readable for 30 days. */
export const namespaceRetentionHours = 720;

/** Retry profiles, one per class of side effect; workflows pick one by name. */
export const activityProfiles = {
  /** Statements in our own database: short, and retried for as long as the database is unavailable. */
  database: {
    startToCloseTimeout: '30 seconds',
    retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
  },
  /** Idempotent calls to another service. */
  remote: {
    startToCloseTimeout: '30 seconds',
    retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '1 minute' },
  },
  /** Long-running work that heartbeats and resumes from its rows after a crash. */
  drain: {
    startToCloseTimeout: '30 minutes',
    heartbeatTimeout: '10 seconds',
    retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
  },
} satisfies Record<string, ActivityOptions>;

/** A killed worker's task is retried after 3 s instead of 10. */
export const workflowTaskTimeout = '3 seconds';

/**
 * A service that is told to end finishes within this time what it has begun: calls to other systems with what they
 * return, and its own requests. An idle one ends at once.
 */
export const drainMs = 25_000;

export const workerOptions = {
  // When the platform does not respond, each send in progress holds a slot for 15 s: with 100 slots another
  // tenant's send waited 10 s for its first activity, with 400 it does not wait.
  maxConcurrentActivityTaskExecutions: 400,
  maxConcurrentWorkflowTaskExecutions: 40,
  maxCachedWorkflows: 500,
  // Activities learn at once that the worker ends, so that none begins anything new; they have `drainMs` to finish.
  shutdownGraceTime: 0,
  shutdownForceTime: drainMs + 2000,
  // What a heartbeat carries must not be older than this when its process is killed.
  maxHeartbeatThrottleInterval: '2 seconds',
} satisfies Partial<WorkerOptions>;

export type ReleaseBehaviour = 'PINNED' | 'AUTO_UPGRADE';

/**
 * What a run does when a newer release becomes current, by workflow type. PINNED: it stays on the workers it started
 * with, so every type that ends by itself within hours. AUTO_UPGRADE: the newer release continues it, so that no old
 * worker has to stay for it; a change of such a type must replay (CONTRIBUTING.md). That is every type whose end
 * depends on a date, the platform, the gateway or staff, or that continues as long as there is work.
 */
export const releaseBehaviours = {
  aiCopywriting: 'PINNED',
  applyRetention: 'PINNED',
  checkLedger: 'PINNED',
  closeCampaign: 'AUTO_UPGRADE',
  deleteOldPayloads: 'PINNED',
  dispatchCampaign: 'AUTO_UPGRADE',
  driveAutomations: 'AUTO_UPGRADE',
  expireTemporaryTags: 'PINNED',
  followSteps: 'AUTO_UPGRADE',
  handleInbox: 'AUTO_UPGRADE',
  installTenant: 'AUTO_UPGRADE',
  payOrder: 'AUTO_UPGRADE',
  pollTaskStatus: 'AUTO_UPGRADE',
  reconcileCharges: 'PINNED',
  reconcileShops: 'PINNED',
  refundCharge: 'AUTO_UPGRADE',
  registerSlots: 'AUTO_UPGRADE',
  rotateSecret: 'PINNED',
  runRepeat: 'PINNED',
  scanNoResponse: 'PINNED',
  sweepOrders: 'PINNED',
  sweepOutreach: 'PINNED',
  testVariants: 'AUTO_UPGRADE',
  uninstallTenant: 'PINNED',
  updateEntrySources: 'AUTO_UPGRADE',
} as const satisfies Record<string, ReleaseBehaviour>;

/** Options for a worker that belongs to a release: it gets no work until its release is made current. */
export const versioningOptions = (taskQueue: TaskQueue, buildId: string) =>
  ({
    workerDeploymentOptions: {
      useWorkerVersioning: true,
      version: { deploymentName: taskQueue, buildId },
      // The others are PINNED by workflows/index.ts. So a run that started before its workers had a release goes on.
      defaultVersioningBehavior: 'AUTO_UPGRADE' satisfies ReleaseBehaviour,
    },
  }) satisfies Partial<WorkerOptions>;
