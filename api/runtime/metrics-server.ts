import type { Server } from 'node:http';
import type { Registry } from 'prom-client';
import { createServer } from '../http/incoming/connections.ts';

/** What a process measures: its own figures, and the SDK's of its worker if it has one. */
export interface Measured {
  registry: Registry;
  worker?: (() => Promise<string>) | undefined;
}

async function textOf({ registry, worker }: Measured): Promise<string> {
  const texts = await Promise.all([registry.metrics(), worker?.() ?? '']);
  return texts.join('\n');
}

/** Serves `GET /metrics` of a process and nothing else, apart from what a proxy in front of the service publishes. */
export function createMetricsServer(measured: Measured): Server {
  return createServer((request, response) => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    textOf(measured).then(
      (text) => response.writeHead(200, { 'content-type': measured.registry.contentType }).end(text),
      (error: unknown) => response.writeHead(500, { 'content-type': 'text/plain' }).end(String(error)),
    );
  });
}
