import { randomBytes } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, makeTelemetryFilterString, NativeConnection, Runtime } from '@temporalio/worker';
import { prepareNamespace, registerSearchAttributes } from '#scripts/start/temporal-server.ts';
import { findTimeSkippingServer } from './time-skipping-server.ts';
import { eventually } from '../time/eventually.ts';
import { sharedTemporal } from './servers.ts';

export interface TestNamespace {
  address: string;
  namespace: string;
  client: Client;
  connection: Connection;
  /** For workers, and for clients that start eagerly. */
  nativeConnection: NativeConnection;
  close(): Promise<void>;
}

let quiet = false;

/** The SDK's info messages about each worker's start and end are noise in a test's output. */
export function quieten(): void {
  if (quiet) return;
  quiet = true;
  const filter = makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' });
  Runtime.install({ logger: new DefaultLogger('ERROR'), telemetryOptions: { logging: { filter } } });
}

/** A fresh namespace, with our search attributes, on the run's Temporal server. */
export async function createNamespace(): Promise<TestNamespace> {
  quieten();
  const address = await sharedTemporal();
  const namespace = `test-${process.pid}-${randomBytes(6).toString('hex')}`;
  await prepareNamespace({ connection: { address }, namespace, owned: false });
  const connection = await Connection.connect({ address });
  const nativeConnection = await NativeConnection.connect({ address });
  return {
    address,
    namespace,
    client: new Client({ connection, namespace }),
    connection,
    nativeConnection,
    close: async () => {
      await connection.close();
      await nativeConnection.close();
    },
  };
}

/**
 * A server whose clock jumps over timers while a result is awaited; its namespace is `default`. It supports neither
 * schedules nor lists, and does not move PostgreSQL's clock. End it with `teardown()`.
 */
export async function createTimeSkipping(): Promise<TestWorkflowEnvironment> {
  quieten();
  const executable = await findTimeSkippingServer();
  // The SDK waits five seconds for it, which may be too short for a first start on a busy machine.
  const environment = await eventually(
    'the time-skipping server starts',
    () => TestWorkflowEnvironment.createTimeSkipping({ server: { executable } }),
    { timeoutMs: 90_000 },
  );
  await registerSearchAttributes(environment.connection, environment.namespace ?? 'default');
  return environment;
}
