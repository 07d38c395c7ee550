import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';

/** Longer than a load balancer keeps idle connections, so that none closes just as a call is sent on it. */
export const keepAliveMs = 65_000;

/**
 * Connections that may wait to be accepted. The system resets some connections of a larger burst; Node's default is
 * 511.
 */
export const backlog = 4096;

/** A request's headers are a few kilobytes; whoever has not sent them by then never will. Also from the connection's start. */
const HEADERS_MS = 15_000;

/** A whole request: the largest upload, 256 MiB, at 7 Mbit/s. What keeps no pace ends long before (`incoming/pace.ts`). */
const REQUEST_MS = 300_000;

/** How often both are looked at, so that nothing outstays its time by more than this. */
const CHECK_MS = 5000;

/** An idle connection takes some 10 KiB, so that these take 100 MiB, and twice as many descriptors where all are forwarded. */
const MOST_CONNECTIONS = 10_000;

/** A server whose connections end by themselves if their callers neither send nor leave. */
export function createServer(listener: RequestListener): Server {
  const server = createHttpServer(
    {
      connectionsCheckingInterval: CHECK_MS,
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      keepAliveTimeout: keepAliveMs,
    },
    listener,
  );
  server.maxConnections = MOST_CONNECTIONS;
  return server;
}
