import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { type LogLevel, type LogMetadata, makeTelemetryFilterString, Runtime } from '@temporalio/worker';
import type { Logger } from './logger.ts';

const LOOPBACK = '127.0.0.1';
const WITHIN_MS = 2000;

/** The SDK cannot report which port it got for 0. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, LOOPBACK);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** What the SDK and its native part log, as lines of ours. */
export function sdkLogger(logger: Pick<Logger, 'trace' | 'debug' | 'info' | 'warn' | 'error'>) {
  const at =
    (level: Lowercase<LogLevel>) =>
    (message: string, { error: err, ...meta }: LogMetadata = {}): void =>
      logger[level]({ ...meta, ...(err !== undefined && { err }) }, message);
  const levels = { trace: at('trace'), debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
  return {
    ...levels,
    log: (level: LogLevel, message: string, meta?: LogMetadata): void =>
      levels[level.toLowerCase() as Lowercase<LogLevel>](message, meta),
  };
}

/**
 * Has the SDK measure what its workers do (`temporal_…`) and log by our logger, from now on: to be called once, before a
 * process connects one. It serves what it measured on this machine only, from where our own `/metrics` takes it.
 * @returns reads it, in Prometheus's text format; rejects if the SDK does not answer.
 */
export async function observeWorkers(logger: Logger): Promise<() => Promise<string>> {
  const bindAddress = `${LOOPBACK}:${await freePort()}`;
  Runtime.install({
    logger: sdkLogger(logger),
    telemetryOptions: {
      logging: { filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }), forward: {} },
      metrics: {
        prometheus: { bindAddress, countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true },
      },
    },
  });
  return async () => {
    const response = await fetch(`http://${bindAddress}/metrics`, { signal: AbortSignal.timeout(WITHIN_MS) });
    if (!response.ok) throw new Error(`the SDK's metrics: ${response.status}`);
    return await response.text();
  };
}
