import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { Problem } from '#domain/api/problem.ts';
import { problemResponse } from '../problem-responses.ts';
import { idsOf, REQUEST_ID_HEADER, shownId } from '../request-id.ts';
import { endSlowRest } from './pace.ts';

/** Longer than a load balancer keeps idle connections, so that none closes just as a call is sent on it. */
export const keepAliveMs = 65_000;

/**
 * Connections that may wait to be accepted. The system resets some connections of a larger burst; Node's default is
 * 511.
 */
export const backlog = 4096;

/** Headers are a few kilobytes; a sender that has not finished by then never will. Also from the connection's start. */
const HEADERS_MS = 15_000;

/** A whole request: the largest upload, 256 MiB, at 7 Mbit/s. What keeps no pace ends long before (`pace.ts`). */
const REQUEST_MS = 300_000;

/** How often both are checked: the most by which a timeout can be exceeded. */
const CHECK_MS = 5000;

/** An idle connection takes some 10 KiB, so that these take 100 MiB, and twice as many descriptors where all are forwarded. */
const MOST_CONNECTIONS = 10_000;

/** How long what follows a refused request is read and forgotten, so that its caller hears of the refusal. */
const LINGER_MS = 2000;

/** Of what cannot be read as a request, by Node's reason; anything else is 400. */
const refusals: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/**
 * Of a target that is no path: an address or `*`. Proxies and we might take different things for its path, so no route
 * sees it.
 */
function targetRefusal(request: Pick<IncomingMessage, 'headers'>) {
  const ids = idsOf(request, '');
  const problem = new Problem('invalid_request', 'The target of the request must be a path');
  const { status, headers, body } = problemResponse(problem, ids);
  const length = String(Buffer.byteLength(body));
  return { status, headers: { ...headers, [REQUEST_ID_HEADER]: shownId(ids), 'Content-Length': length }, body };
}

function refuseTarget(req: IncomingMessage, res: ServerResponse): void {
  endSlowRest({ req, res });
  const { status, headers, body } = targetRefusal(req);
  res.writeHead(status, headers).end(body);
  req.resume();
}

/** The same where Node does not take the target for one. */
function targetRefusalText(): string {
  const { headers, body } = targetRefusal({ headers: {} });
  const lines = Object.entries({ Connection: 'close', ...headers }).map(([name, value]) => `${name}: ${value}`);
  return ['HTTP/1.1 400 Bad Request', ...lines, '', body].join('\r\n');
}

/** Node's own mark of a response that it is sending on this connection. */
type Answering = Duplex & { _httpMessage?: { headersSent: boolean } | null };

const bareRefusal = (status = '400 Bad Request'): string => `HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`;

/**
 * Responds as Node does, which then closes at once: the system resets a connection that closes with something unread, and
 * the caller may see that instead of the response.
 */
function createRefusal(): (error: NodeJS.ErrnoException, socket: Answering) => void {
  const refused = new WeakSet<Duplex>();
  return ({ code = '' }, socket) => {
    const { _httpMessage: response } = socket;
    // What comes after it cannot be read, either.
    if (refused.has(socket)) return;
    refused.add(socket);
    if (!socket.writable || response?.headersSent) {
      socket.destroy();
      return;
    }
    socket.end(code === 'HPE_INVALID_URL' ? targetRefusalText() : bareRefusal(refusals[code]));
    const late = setTimeout(() => socket.destroy(), LINGER_MS).unref();
    socket.once('close', () => clearTimeout(late));
  };
}

/** A server whose connections end by themselves if their callers neither send nor leave. */
export function createServer(listener: RequestListener): Server {
  const server = createHttpServer(
    {
      connectionsCheckingInterval: CHECK_MS,
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      keepAliveTimeout: keepAliveMs,
    },
    (req, res) => (req.url?.startsWith('/') ? listener(req, res) : refuseTarget(req, res)),
  );
  server.maxConnections = MOST_CONNECTIONS;
  server.on('clientError', createRefusal());
  // A tunnel to another server.
  server.on('connect', (_, socket) => socket.end(bareRefusal()));
  return server;
}
