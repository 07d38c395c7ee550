import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client } from '@temporalio/client';
import { NativeConnection, type NativeConnectionOptions, Worker, type WorkerOptions } from '@temporalio/worker';
import { SettingsError } from '../../domain/settings.ts';
import { workerOptions, type TaskQueue, type TemporalSettings } from '../../temporal.config.ts';

/** Built by `npm run build`; production and replay tests run exactly this bundle. */
const bundlePath = fileURLToPath(new URL('../../dist/workflow-bundle.js', import.meta.url));

export interface TemporalConnection {
  connection: NativeConnection;
  client: Client;
}

function readPem(file: string, variable: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new SettingsError(`Wrong settings. ${variable}: cannot read ${file}`, { cause: error });
  }
}

/** With the certificate and key read. @throws SettingsError naming the file that cannot be read. */
export function connectionOptions({ tls, ...rest }: TemporalSettings['connection']): NativeConnectionOptions {
  if (tls === undefined || tls === true) return { ...rest, ...(tls ? { tls } : {}) };
  const crt = readPem(tls.certificateFile, 'TEMPORAL_TLS_CERT');
  const key = readPem(tls.keyFile, 'TEMPORAL_TLS_KEY');
  return { ...rest, tls: { clientCertPair: { crt, key } } };
}

/** One native connection serves worker and client: eager start of workflows needs that. */
export async function connectTemporal(settings: TemporalSettings): Promise<TemporalConnection> {
  const connection = await NativeConnection.connect(connectionOptions(settings.connection));
  return { connection, client: new Client({ connection, namespace: settings.namespace }) };
}

/**
 * A worker of one service's task queue.
 * @throws Error where the workflow bundle has not been built.
 */
export async function createWorker(options: {
  connection: NativeConnection;
  namespace: string;
  taskQueue: TaskQueue;
  activities: object;
}): Promise<Worker> {
  if (!existsSync(bundlePath)) throw new Error('dist/workflow-bundle.js is missing; run: npm run build');
  const settings: WorkerOptions = { ...workerOptions, ...options, workflowBundle: { codePath: bundlePath } };
  return await Worker.create(settings);
}

/** Workflow pollers, as the server's interface numbers the kinds of task queues. */
const WORKFLOW_TASK_QUEUE = 1;

/** Resolves where somebody polls the queue, this process or another; rejects with the reason otherwise. */
export async function hasPollers(connection: NativeConnection, namespace: string, taskQueue: TaskQueue): Promise<void> {
  const { pollers } = await connection.workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: WORKFLOW_TASK_QUEUE,
  });
  if (!pollers?.length) throw new Error(`no worker polls the task queue ${taskQueue}`);
}
