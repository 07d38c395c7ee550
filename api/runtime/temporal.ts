import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';
import { NativeConnection, type NativeConnectionOptions, Worker } from '@temporalio/worker';
import { bundleNameOf, type TemporalSettings } from '#domain/settings/temporal.ts';
import { searchAttributes, type TaskQueue, versioningOptions, workerOptions } from '#temporal.config.ts';
import { withoutValues } from './database-failures.ts';
import type { Logger } from './logger.ts';
import { createPayloadCodec } from './payload-codec.ts';
import { readPem } from './pem.ts';
import { tracing } from './tracing/tracing.ts';

const inProject = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** Built by `npm run build`; production and replay tests run exactly these bundles. */
export const bundlePathOf = (settings: Pick<TemporalSettings, 'payloadKeys' | 'isTraced'>): string =>
  inProject(`dist/${bundleNameOf(settings)}.js`);

/** Reads the certificates and key. @throws SettingsError naming the file that cannot be read. */
export function connectionOptions({ tls, ...rest }: TemporalSettings['connection']): NativeConnectionOptions {
  if (!tls) return rest;
  const { authoritiesFile, client } = tls;
  return {
    ...rest,
    tls: {
      ...(authoritiesFile && { serverRootCACertificate: readPem(authoritiesFile, 'TEMPORAL_TLS_CA') }),
      ...(client && {
        clientCertPair: {
          crt: readPem(client.certificateFile, 'TEMPORAL_TLS_CERT'),
          key: readPem(client.keyFile, 'TEMPORAL_TLS_KEY'),
        },
      }),
    },
  };
}

/** @throws Error if the workflow bundle has not been built. */
function builtBundle(settings: TemporalSettings): string {
  const path = bundlePathOf(settings);
  if (!existsSync(path)) throw new Error(`dist/${bundleNameOf(settings)}.js is missing; run: npm run build`);
  return path;
}

export interface Temporal {
  connection: Connection;
  client: Client;
  namespace: string;
  /** Resolves if the server responds and workflows can be started; rejects with what is missing. */
  ping(): Promise<void>;
}

/** The server's enum value for the Keyword type of a search attribute. */
const KEYWORD = 2;

/**
 * gRPC's PERMISSION_DENIED and UNIMPLEMENTED: without permission to look, the first workflow start shows what is
 * missing.
 */
const UNTOLD = new Set<unknown>([7, 12]);

/** @throws Error naming our search attributes that the namespace lacks; without them no workflow can start. */
async function requireSearchAttributes({ operatorService }: Connection, namespace: string): Promise<void> {
  const found = await operatorService.listSearchAttributes({ namespace }).catch((error: unknown) => {
    if (UNTOLD.has((error as { code?: unknown }).code)) return null;
    throw error;
  });
  const missing = found ? searchAttributes.filter((name) => found.customAttributes[name] !== KEYWORD) : [];
  if (missing.length > 0)
    throw new Error(`namespace ${namespace} lacks the search attributes ${missing.join(', ')}, as Keywords`);
}

/** A caller is waiting, so an unavailable server is reported soon, and the sweeps start what was not started. */
const retries = makeGrpcRetryInterceptor(defaultGrpcRetryOptions({ maxAttempts: 5 }));

/** A server that comes back is noticed within two seconds, however long it was unavailable. */
const reconnecting = { 'grpc.initial_reconnect_backoff_ms': 200, 'grpc.max_reconnect_backoff_ms': 2000 };

/** Of a client or a worker: how payloads are sealed, if they are, and the texts of failures with them. */
export const converting = ({ payloadKeys }: Pick<TemporalSettings, 'payloadKeys'>) =>
  payloadKeys
    ? {
        dataConverter: {
          payloadCodecs: [createPayloadCodec(payloadKeys)],
          failureConverterPath: inProject('api/runtime/sealed-failures.cjs'),
        },
      }
    : {};

const clientTraces = () => {
  const traces = tracing();
  return traces ? { interceptors: { workflow: [traces.temporal.client] } } : {};
};

/**
 * A client that connects with its first call, so that a service can start and respond while Temporal is unavailable.
 */
export function openTemporal(settings: TemporalSettings): Temporal {
  const { namespace } = settings;
  const options = { ...connectionOptions(settings.connection), interceptors: [retries], channelArgs: reconnecting };
  const connection = Connection.lazy(options);
  let isPrepared = false;
  const look = async () => {
    await connection.workflowService.getSystemInfo({});
    // Checked once: they are never removed.
    if (!isPrepared) await requireSearchAttributes(connection, namespace);
    isPrepared = true;
  };
  return {
    connection,
    client: new Client({ connection, namespace, ...converting(settings), ...clientTraces() }),
    namespace,
    ping: () => connection.withDeadline(Date.now() + 2500, look),
  };
}

/** As the server names this process among those that poll. */
const identity = `${process.pid}@${hostname()}`;

/** A worker that starts as soon as Temporal is available. */
export interface Polling {
  /** Resolves after `shutdown`; rejects if the worker fails for good. */
  run(): Promise<void>;
  shutdown(): void;
}

export interface PollingOptions {
  settings: TemporalSettings;
  taskQueue: TaskQueue;
  activities: object;
  logger: Logger;
  /** Sets up what must exist before work arrives, such as Schedules. Retried until it succeeds. */
  prepare?: () => Promise<void>;
}

const CONNECT_AGAIN_MS = 1000;

/**
 * Polls one service's task queue: retries connecting until it succeeds, and then runs a worker.
 * @throws Error if the workflow bundle has not been built.
 */
export function createPolling({ settings, taskQueue, activities, logger, prepare }: PollingOptions): Polling {
  const codePath = builtBundle(settings);
  const address = connectionOptions(settings.connection);
  const stopping = new AbortController();

  async function start(): Promise<{ worker: Worker; connection: NativeConnection }> {
    const connection = await NativeConnection.connect(address);
    try {
      await prepare?.();
      const { namespace, buildId } = settings;
      const traces = tracing();
      const worker = await Worker.create({
        ...workerOptions,
        ...converting(settings),
        ...(buildId ? versioningOptions(taskQueue, buildId) : {}),
        connection,
        namespace,
        identity,
        taskQueue,
        activities,
        interceptors: { activity: [...(traces ? [traces.temporal.activity] : []), withoutValues(logger)] },
        ...(traces && { sinks: traces.temporal.sinks }),
        workflowBundle: { codePath },
      });
      return { connection, worker };
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  async function startUntilThere(): ReturnType<typeof start> {
    for (;;) {
      try {
        return await start();
      } catch (error) {
        logger.warn({ err: error }, 'the worker could not be started; trying again');
        await delay(CONNECT_AGAIN_MS, undefined, { signal: stopping.signal });
      }
    }
  }

  return {
    async run() {
      const started = await startUntilThere().catch((error: unknown) => {
        if (stopping.signal.aborted) return null;
        throw error;
      });
      if (!started) return;
      const { worker, connection } = started;
      const shutdown = () => worker.getState() === 'RUNNING' && worker.shutdown();
      stopping.signal.addEventListener('abort', shutdown);
      try {
        const running = worker.run();
        if (stopping.signal.aborted) shutdown();
        await running;
      } finally {
        await connection.close();
      }
    },
    shutdown: () => stopping.abort(),
  };
}

/** The server's enum value for task queues with workflow pollers. */
const WORKFLOW_TASK_QUEUE = 1;

/** Resolves if this process polls the queue; rejects with the reason otherwise. */
export async function isPolling({ connection, namespace }: Temporal, taskQueue: TaskQueue): Promise<void> {
  const { pollers } = await connection.workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: WORKFLOW_TASK_QUEUE,
  });
  // A container that was started again has its host name and process id again.
  const isOurs = (poller: { identity?: string | null; lastAccessTime?: { seconds?: unknown } | null }) =>
    poller.identity === identity &&
    Number(poller.lastAccessTime?.seconds ?? 0) >= Math.floor(performance.timeOrigin / 1000);
  if (!pollers?.some(isOurs)) throw new Error(`this process does not poll the task queue ${taskQueue}`);
}
