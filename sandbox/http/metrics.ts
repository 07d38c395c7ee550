import { Router } from '@koa/router';
import type { Context } from 'koa';
import type { Registry } from 'prom-client';

/** Even when listening on all addresses, metrics are served only for requests that arrived at `metricsHost`. */
function mayReadMetrics(ctx: Context, metricsHost: string): boolean {
  const local = ctx.req.socket.localAddress?.replace(/^::ffff:/, '');
  return (
    metricsHost === '0.0.0.0' ||
    metricsHost === '::' ||
    local === metricsHost ||
    (metricsHost === 'localhost' && local === '127.0.0.1')
  );
}

/** `/metrics`, on the sandbox's only port: nothing publishes it. */
export function metricsRoutes(registry: Registry, metricsHost: string): Router {
  const router = new Router();
  router.get('/metrics', async (ctx) => {
    if (!mayReadMetrics(ctx, metricsHost)) return;
    ctx.type = registry.contentType;
    ctx.body = await registry.metrics();
  });
  return router;
}
