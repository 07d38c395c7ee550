import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Runtime } from '@temporalio/worker';

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

/**
 * Has the SDK measure what its workers do (`temporal_…`), from now on: to be called once, before a process connects
 * one. It serves that on this machine only, from where our own `/metrics` takes it.
 * @returns reads it, in Prometheus's text format; rejects if the SDK does not answer.
 */
export async function measureWorkers(): Promise<() => Promise<string>> {
  const bindAddress = `${LOOPBACK}:${await freePort()}`;
  Runtime.install({
    telemetryOptions: {
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
