import type { WorkerOptions } from '@temporalio/worker';
import type { ActivityOptions } from '@temporalio/workflow';
import { z } from 'zod';

/** One task queue a service, polled by that service's own worker. */
export const taskQueues = { bff: 'bff', outreach: 'outreach', orders: 'orders' } as const;
export type TaskQueue = (typeof taskQueues)[keyof typeof taskQueues];

/** Search attributes that on-call staff filter by; registered at start, all of them Keywords. */
export const searchAttributes = ['TenantId', 'CampaignId', 'OrderId', 'BizStatus'] as const;

/**
 * Settings of the development server, each for a measured reason: a file keeps state over restarts, WAL with normal
 * sync triples its throughput, and the transfer queue's default of 20 polls a second adds 50 ms to every hop.
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

const schema = z.object({
  TEMPORAL_ADDRESS: z
    .string()
    .regex(/^[^\s:]+:\d{1,5}$/, 'must be host:port')
    .refine((address) => Number(address.split(':')[1]) <= 65_535, 'must name a port of at most 65535')
    .default('127.0.0.1:7233'),
  TEMPORAL_NAMESPACE: z.string().min(1).default('default'),
  TEMPORAL_TLS_CERT: z.string().min(1).optional(),
  TEMPORAL_TLS_KEY: z.string().min(1).optional(),
  TEMPORAL_API_KEY: z.string().min(1).optional(),
  TEMPORAL_BUILD_ID: z
    .string()
    .regex(/^[\w.-]{1,128}$/, 'must be letters, digits, dots and dashes, 128 at most')
    .optional(),
});

export interface TemporalSettings {
  namespace: string;
  /** Which release the workers are of; absent, they are unversioned. */
  buildId?: string;
  connection: {
    address: string;
    apiKey?: string;
    /** Files with certificate and key; `true`: TLS without a client certificate. */
    tls?: true | { certificateFile: string; keyFile: string };
  };
}

/**
 * How to reach Temporal (workflows read this module too, so it touches no files): plain for development, mutual TLS with a certificate and key, TLS with an API key.
 * @throws Error naming the variable that is wrong.
 */
export function parseTemporalSettings(environment: Record<string, string | undefined>): TemporalSettings {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = schema.safeParse(given);
  if (!result.success) {
    const lines = result.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`);
    throw new Error(`Wrong settings. ${lines.join('; ')}`);
  }
  const { TEMPORAL_TLS_CERT: cert, TEMPORAL_TLS_KEY: key, ...rest } = result.data;
  if (Boolean(cert) !== Boolean(key))
    throw new Error('Wrong settings. TEMPORAL_TLS_CERT and TEMPORAL_TLS_KEY go together');
  const tls = cert && key ? { certificateFile: cert, keyFile: key } : undefined;
  return {
    namespace: rest.TEMPORAL_NAMESPACE,
    ...(rest.TEMPORAL_BUILD_ID ? { buildId: rest.TEMPORAL_BUILD_ID } : {}),
    connection: {
      address: rest.TEMPORAL_ADDRESS,
      ...(tls ? { tls } : {}),
      ...(rest.TEMPORAL_API_KEY ? { apiKey: rest.TEMPORAL_API_KEY, tls: tls ?? true } : {}),
    },
  };
}

/** Retry profiles, one per class of side effect; workflows choose by name. */
export const activityProfiles = {
  /** Statements in our own database: short, and repeated for as long as the database is away. */
  database: {
    startToCloseTimeout: '30 seconds',
    retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
  },
  /** Calls to another service that may be repeated as they are. */
  remote: {
    startToCloseTimeout: '30 seconds',
    retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '1 minute' },
  },
  /** Long work that reports by heartbeat and goes on from its rows after a crash. */
  drain: {
    startToCloseTimeout: '30 minutes',
    heartbeatTimeout: '10 seconds',
    retry: { initialInterval: '200 milliseconds', backoffCoefficient: 2, maximumInterval: '30 seconds' },
  },
} satisfies Record<string, ActivityOptions>;

/** A killed worker's task runs again after 3 s instead of 10. */
export const workflowTaskTimeout = '3 seconds';

export const workerOptions = {
  // A platform that does not answer holds one for each send that is under way, 15 s long: at 100 of them another tenant's
  // send waited 10 s for its first activity, at 400 it does not.
  maxConcurrentActivityTaskExecutions: 400,
  maxConcurrentWorkflowTaskExecutions: 40,
  maxCachedWorkflows: 500,
  shutdownGraceTime: '5 seconds',
  shutdownForceTime: '8 seconds',
} satisfies Partial<WorkerOptions>;

/**
 * Of a worker that is of a release: it gets no work before the release is made current, and each run stays with the
 * release that it began with.
 */
export const versioningOptions = (taskQueue: TaskQueue, buildId: string) =>
  ({
    workerDeploymentOptions: {
      useWorkerVersioning: true,
      version: { deploymentName: taskQueue, buildId },
      defaultVersioningBehavior: 'PINNED',
    },
  }) satisfies Partial<WorkerOptions>;
