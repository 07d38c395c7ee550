import type { Server } from 'node:http';
import type { Registry } from 'prom-client';
import { createServer } from '../http/connections.ts';

/** Serves `GET /metrics` of a process and nothing else, apart from what a proxy in front of the service publishes. */
export function createMetricsServer(registry: Registry): Server {
  return createServer((request, response) => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      (error: unknown) => response.writeHead(500, { 'content-type': 'text/plain' }).end(String(error)),
    );
  });
}
