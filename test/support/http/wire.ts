import { createServer, type IncomingHttpHeaders, request as send } from 'node:http';
import { listen } from './listen.ts';

/** A call that went over the wire, byte for byte. */
export interface WireCall {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** Null until there is a response. */
  status: number | null;
  response: string;
  /** Milliseconds since 1970. */
  receivedAt: number;
  respondedAt: number | null;
}

/** A relay between two programs that records the traffic. */
export interface Wire {
  address: string;
  calls: WireCall[];
  /** Calls with this method to matching paths, oldest first. */
  of(method: string, path: RegExp): WireCall[];
  /**
   * Holds the next `count` calls with this method to matching paths until all have arrived, then lets them through
   * together.
   */
  gather(count: number, method: string, path: RegExp): void;
  /** Where calls go from now on; before that they get 503. */
  forwardTo(address: string): void;
  close(): Promise<void>;
}

/** Listens on its own port; each program takes it for the other one. */
export async function openWire(): Promise<Wire> {
  const calls: WireCall[] = [];
  let target: string | undefined;
  let gathered: { count: number; method: string; path: RegExp; held: (() => void)[] } | undefined;

  /** Passes the call on; a call that is being gathered goes on with the last of its group. */
  function release({ method, path }: WireCall, pass: () => void): void {
    if (!gathered || gathered.method !== method || !gathered.path.test(path)) return pass();
    const { held, count } = gathered;
    if (held.push(pass) < count) return;
    gathered = undefined;
    for (const each of held) each();
  }

  const server = createServer((request, response) => {
    const { method = '', url: path = '', headers } = request;
    const receivedAt = Date.now();
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts);
      const call: WireCall = {
        method,
        path,
        headers,
        body: body.toString(),
        status: null,
        response: '',
        receivedAt,
        respondedAt: null,
      };
      calls.push(call);
      if (target === undefined) {
        response.writeHead(503, { 'Retry-After': '1' }).end();
        return;
      }
      release(call, () => {
        const onward = send(`${target}${path}`, { method, headers }, (result) => {
          call.status = result.statusCode ?? 0;
          response.writeHead(call.status, result.headers);
          result.on('data', (part: Buffer) => {
            call.response += part.toString();
            response.write(part);
          });
          result.on('end', () => {
            call.respondedAt = Date.now();
            response.end();
          });
        });
        onward.on('error', () => request.socket.destroy());
        onward.end(body);
      });
    });
  });
  return {
    address: await listen(server),
    calls,
    of: (method, path) => calls.filter((call) => call.method === method && path.test(call.path)),
    gather: (count, method, path) => {
      gathered = { count, method, path, held: [] };
    },
    forwardTo: (address) => {
      target = address;
    },
    close: async () => {
      const closed = new Promise((resolve) => {
        server.close(resolve);
      });
      server.closeAllConnections();
      await closed;
    },
  };
}
