import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { backlog, keepAliveMs } from '#api/http/incoming/connections.ts';

/**
 * Listens on this machine as the services do, on a free port by default; returns the address, for example
 * `http://127.0.0.1:20001`.
 */
export async function listen(server: Server, port = 0): Promise<string> {
  server.keepAliveTimeout = keepAliveMs;
  server.listen({ port, host: '127.0.0.1', backlog });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
