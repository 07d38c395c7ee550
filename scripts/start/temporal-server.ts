import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Connection, type ConnectionOptions } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time';
import { connectionOptions } from '#api/runtime/temporal.ts';
import type { TemporalSettings } from '#domain/settings/temporal.ts';
import { developmentServerArguments, namespaceRetentionHours, searchAttributes } from '#temporal.config.ts';
import { type Child, lastLines, startChild } from './child.ts';

export interface TemporalServerOptions {
  /** The program, from findTemporal. */
  executable: string;
  port: number;
  /** Without it there is no web UI. */
  uiPort?: number | undefined;
  /** Keeps the state across restarts; without it everything is in memory. */
  file?: string | undefined;
  logFile: string;
  background?: boolean;
  /** More of the server's dynamic settings, each as `name=value`. */
  settings?: readonly string[];
}

const START_TIMEOUT_MS = 60_000;
const KEYWORD = 2;
const retention = msToTs(namespaceRetentionHours * 3_600_000);
const GRPC_NOT_FOUND = 5;
const GRPC_ALREADY_EXISTS = 6;
const GRPC_PERMISSION_DENIED = 7;
const GRPC_UNIMPLEMENTED = 12;
const REJECTIONS = new Set([GRPC_PERMISSION_DENIED, GRPC_UNIMPLEMENTED]);

const grpcCode = (error: unknown): unknown => (error as { code?: unknown }).code;
const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';

async function waitUntilReady(child: Child, address: string): Promise<void> {
  const end = Date.now() + START_TIMEOUT_MS;
  while (child.running() && Date.now() < end) {
    try {
      const connection = await Connection.connect({ address, connectTimeout: '1 second' });
      try {
        await connection.workflowService.describeNamespace({ namespace: 'default' });
        return;
      } finally {
        await connection.close();
      }
    } catch {
      await setTimeout(50);
    }
  }
  await child.stop();
  throw new Error(`Temporal did not start:\n${lastLines(child.logFile, 8)}`);
}

/**
 * Starts Temporal's development server on 127.0.0.1 and waits until it responds.
 * @throws Error with the last lines of the server's log.
 */
export async function startTemporalServer(options: TemporalServerOptions): Promise<Child> {
  const { executable, port, uiPort, file, logFile, background, settings = [] } = options;
  if (file) mkdirSync(dirname(file), { recursive: true });
  const child = await startChild({
    name: 'temporal',
    command: executable,
    args: [
      'server',
      'start-dev',
      '--ip=127.0.0.1',
      `--port=${port}`,
      '--log-level=warn',
      ...(uiPort ? ['--ui-port', String(uiPort)] : ['--headless']),
      ...(file ? ['--db-filename', file] : []),
      ...developmentServerArguments,
      ...settings.flatMap((setting) => ['--dynamic-config-value', setting]),
    ],
    logFile,
    stopTimeoutMs: 3000,
    ...(background ? { background } : {}),
  });
  await waitUntilReady(child, `127.0.0.1:${port}`);
  return child;
}

/** For a new namespace: closed workflows are retained as long as temporal.config.ts says. */
async function createNamespace(connection: Connection, namespace: string): Promise<void> {
  try {
    await connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: retention,
    });
  } catch (error) {
    if (grpcCode(error) !== GRPC_ALREADY_EXISTS) throw error;
  }
}

async function ensureNamespace(connection: Connection, namespace: string, owned: boolean): Promise<void> {
  try {
    await connection.workflowService.describeNamespace({ namespace });
  } catch (error) {
    if (grpcCode(error) !== GRPC_NOT_FOUND) throw error;
    return createNamespace(connection, namespace);
  }
  if (!owned) return;
  await connection.workflowService.updateNamespace({
    namespace,
    config: { workflowExecutionRetentionTtl: retention },
  });
}

/** The time-skipping server can add search attributes, but not list them. */
async function listSearchAttributes(connection: Connection, namespace: string): Promise<string[]> {
  try {
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    return Object.keys(customAttributes);
  } catch (error) {
    if (grpcCode(error) === GRPC_UNIMPLEMENTED) return [];
    throw error;
  }
}

/**
 * Adds the missing search attributes; retries while the server does not yet know a namespace that was just
 * created.
 */
export async function registerSearchAttributes(connection: Connection, namespace: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const present = await listSearchAttributes(connection, namespace);
      const missing = searchAttributes.filter((name) => !present.includes(name));
      if (missing.length === 0) return;
      await connection.operatorService.addSearchAttributes({
        namespace,
        searchAttributes: Object.fromEntries(missing.map((name) => [name, KEYWORD])),
      });
      return;
    } catch (error) {
      if (grpcCode(error) === GRPC_ALREADY_EXISTS) return;
      if (grpcCode(error) !== GRPC_NOT_FOUND || attempt >= 200) throw error;
      await setTimeout(50);
    }
  }
}

export interface NamespaceOptions {
  connection: ConnectionOptions;
  namespace: string;
  /** Our own development server, whose retention we set; on another server it is left alone. */
  owned: boolean;
}

/** Ensures that the namespace and its search attributes exist; safe to repeat. */
export async function prepareNamespace({ connection: options, namespace, owned }: NamespaceOptions): Promise<void> {
  const connection = await Connection.connect({ ...options, connectTimeout: '5 seconds' });
  try {
    await ensureNamespace(connection, namespace, owned);
    await registerSearchAttributes(connection, namespace);
  } finally {
    await connection.close();
  }
}

/**
 * Like prepareNamespace, with the connection from the settings.
 * @throws Error that names TEMPORAL_ADDRESS, and what the namespace needs if the server does not let this API add
 * it.
 */
export async function prepareTemporal(
  { connection, namespace }: TemporalSettings,
  { owned }: Pick<NamespaceOptions, 'owned'>,
): Promise<void> {
  try {
    await prepareNamespace({ connection: connectionOptions(connection), namespace, owned });
  } catch (error) {
    const reason = `Temporal at ${connection.address} cannot be prepared (TEMPORAL_ADDRESS): ${messageOf(error)}`;
    const needs = `namespace ${namespace} needs the search attributes ${searchAttributes.join(', ')}, of type Keyword`;
    throw new Error(REJECTIONS.has(Number(grpcCode(error))) ? `${reason}; ${needs}` : reason, { cause: error });
  }
}
