import { Agent, createServer, type IncomingMessage, request as send, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { listen } from './listen.ts';

/** A load balancer in front of the processes of a service: each request goes to the next of them. */
export interface Balancer {
  address: string;
  /** New requests go to it, too. */
  add(address: string): void;
  /** No new request goes to it. */
  remove(address: string): void;
  close(): Promise<void>;
}

/** Certainly never arrived, so that another process may have the request. */
const refused = (error: Error) => (error as { code?: unknown }).code === 'ECONNREFUSED';

export async function openBalancer(): Promise<Balancer> {
  const targets: string[] = [];
  let turn = 0;
  // A kept connection could be closed by a process that ends just when a request is written to it.
  const agent = new Agent({ keepAlive: false });

  /** To the first of these that takes it. */
  function pass(request: IncomingMessage, response: ServerResponse, [target, ...others]: readonly string[]): void {
    if (target === undefined) {
      response.writeHead(503, { 'Retry-After': '1' }).end();
      return;
    }
    const { method, headers, url } = request;
    const onward = send(`${target}${url}`, { method, headers, agent }, (result) => {
      response.writeHead(result.statusCode ?? 502, result.headers);
      pipeline(result, response, () => {});
    });
    onward.on('error', (error) => {
      if (refused(error)) pass(request, response, others);
      else if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
    });
    onward.on('socket', (socket) => {
      socket.once('connect', () => pipeline(request, onward, () => {}));
    });
    response.once('close', () => onward.destroy());
  }

  const server = createServer((request, response) => {
    const first = (turn += 1) % Math.max(1, targets.length);
    pass(request, response, [...targets.slice(first), ...targets.slice(0, first)]);
  });
  return {
    address: await listen(server),
    add: (address) => void targets.push(address),
    remove: (address) => void targets.splice(targets.indexOf(address), targets.includes(address) ? 1 : 0),
    close: async () => {
      const closed = new Promise((resolve) => {
        server.close(resolve);
      });
      server.closeAllConnections();
      await closed;
    },
  };
}
