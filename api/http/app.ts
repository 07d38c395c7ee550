import Koa from 'koa';
import type { Registry } from 'prom-client';
import type { Logger } from '../runtime/logger.ts';
import { type Tracing, tracing } from '../runtime/tracing/tracing.ts';
import { type Health, healthRoutes } from './health.ts';
import { withSlowRestsEnded } from './incoming/pace.ts';
import { createDurations, type Durations, httpDurations, routeOf } from './metrics.ts';
import { problemResponses } from './problem-responses.ts';
import { currentRequest, loggedFrom, requestId } from './request-id.ts';

/** Errors of a connection that the caller closed before the response ended, as every reader of events does. */
const callerLeft = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE', 'ABORT_ERR', 'UND_ERR_ABORTED']);

/** Polled by machines every few seconds, and only noise to somebody who follows a request. */
const quiet = new Set(['/healthz', '/livez', '/readyz', '/internal/v1/attributed-entries']);

/** Serves requests within spans. */
const traced =
  (traces: Tracing): Koa.Middleware =>
  async (ctx, next) => {
    if (quiet.has(ctx.path)) return next();
    return traces.serve({ method: ctx.method, headers: ctx.req.headers }, async () => {
      await next();
      return { route: routeOf(ctx), status: ctx.status, facts: loggedFrom(currentRequest()) };
    });
  };

/**
 * A Koa app with what every service needs first: request id, access log, durations, problem documents. Routers
 * follow.
 */
export function createApp(logger: Logger, registry: Registry, durations: Durations = createDurations(registry)): Koa {
  const app = new Koa();
  app.use(requestId);
  const traces = tracing();
  if (traces) app.use(traced(traces));
  app.use(withSlowRestsEnded());
  app.use(httpDurations(durations));
  app.use(async (ctx, next) => {
    const startedAt = performance.now();
    await next();
    const ms = Math.round(performance.now() - startedAt);
    // Only the path: a query may contain a token (embedded hosts without a bridge).
    logger[quiet.has(ctx.path) ? 'debug' : 'info'](
      { method: ctx.method, path: ctx.path, status: ctx.status, ms },
      'served',
    );
  });
  app.use(problemResponses(logger));
  app.on('error', (error: unknown) => {
    const left = callerLeft.has(String((error as { code?: unknown } | null)?.code));
    logger[left ? 'debug' : 'error']({ err: error }, left ? 'the caller left' : 'connection failed');
  });
  return app;
}

/** The endpoints of a process that only polls its task queue. */
export function createWorkerApp(logger: Logger, health: Health): Koa {
  const app = createApp(logger, health.registry);
  app.use(healthRoutes(health).routes());
  return app;
}
