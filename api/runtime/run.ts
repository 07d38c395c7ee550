import type { RequestListener, Server } from 'node:http';
import type { Registry } from 'prom-client';
import { SettingsError } from '#domain/settings/settings.ts';
import { tracesUrlFrom } from '#domain/settings/tracing.ts';
import { drainMs } from '#temporal.config.ts';
import { backlog, createServer } from '../http/incoming/connections.ts';
import type { Logger } from './logger.ts';
import { createMetricsServer } from './metrics-server.ts';
import { observeWorkers } from './sdk.ts';
import type { Polling } from './temporal.ts';
import { openTracing, tracing } from './tracing/tracing.ts';

/** A started service: its HTTP server, its workers, and what is closed last. */
export interface Service {
  listener: RequestListener;
  host: string;
  port: number;
  metrics: { registry: Registry; host: string; port: number };
  /** Null if another process does the work. */
  polling: Polling | null;
  /** Ends responses that would never end (event streams), so that the server can close. */
  endStreams?: () => void;
  /** Closes what requests and workers used, after both have ended. */
  close: () => Promise<void>;
}

const portCodes = new Set(['EADDRINUSE', 'EACCES']);

interface Place {
  host: string;
  port: number;
  /** The variables that gave them. */
  named: { host: string; port: string };
}

/** @throws SettingsError naming the variable of the port or the host. */
async function listen(server: Server, { host, port, named }: Place): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const setting = portCodes.has(error.code ?? '') ? named.port : named.host;
      reject(new SettingsError(`${setting}: ${error.message}`));
    });
    server.listen({ port, host, backlog }, resolve);
  });
}

async function listenAsService(name: string, { listener, host, port }: Service): Promise<Server> {
  const server = createServer(listener);
  await listen(server, { host, port, named: { host: 'HOST', port: `${name.toUpperCase()}_PORT` } });
  return server;
}

async function listenWithMetrics(name: string, logger: Logger, { metrics, polling }: Service): Promise<Server> {
  const { registry, host, port } = metrics;
  const server = createMetricsServer({ registry, worker: polling ? await observeWorkers(logger) : undefined });
  await listen(server, { host, port, named: { host: 'METRICS_HOST', port: `METRICS_PORT_${name.toUpperCase()}` } });
  return server;
}

function nextSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve(signal));
  });
}

const LOOK_FOR_IDLE_MS = 50;

/** Accepts no further request, and resolves once those under way have been answered, at the latest after `drainMs`. */
async function drain(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  // A kept connection becomes idle with its response, and its caller would hold it for a minute.
  const idle = setInterval(() => server.closeIdleConnections(), LOOK_FOR_IDLE_MS);
  const late = setTimeout(() => server.closeAllConnections(), drainMs);
  server.closeIdleConnections();
  await closed;
  clearInterval(idle);
  clearTimeout(late);
}

/** Stops intake first, lets requests and activities under way end, then closes what both used. */
async function stop(service: Service, server: Server, polling: Promise<void> | undefined): Promise<void> {
  const drained = drain(server);
  service.endStreams?.();
  service.polling?.shutdown();
  await Promise.all([drained, polling]);
  await service.close();
}

/**
 * Runs a service until a signal arrives or a worker fails. An invalid setting or a port in use is reported in one
 * line, with exit code 1.
 */
export async function runService(name: string, logger: Logger, start: () => Promise<Service>): Promise<void> {
  const signal = nextSignal();
  try {
    await openTracing(name, tracesUrlFrom(process.env), logger);
    const service = await start();
    const metrics = await listenWithMetrics(name, logger, service);
    const server = await listenAsService(name, service);
    const polling = service.polling?.run();
    logger.info({ host: service.host, port: service.port }, `${name} is up`);
    // Without a worker (API only), no polling can end.
    const ended = await (polling ? Promise.race([signal, polling.then(() => 'worker ended')]) : signal);
    logger.info({ ended }, `${name} stops`);
    await stop(service, server, polling);
    await tracing()?.close();
    // Last, so that what happens while it stops can be read.
    metrics.closeAllConnections();
    process.exit(0);
  } catch (error) {
    if (error instanceof SettingsError) process.stderr.write(`${name}: ${error.message}\n`);
    else logger.fatal({ err: error }, `${name} could not continue`);
    process.exit(1);
  }
}
