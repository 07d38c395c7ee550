import { Router } from '@koa/router';
import type { Context } from 'koa';
import { collectDefaultMetrics, Registry } from 'prom-client';

/** One dependency of a service. Resolves if it is reachable, rejects with the reason otherwise. */
export type ReadinessCheck = () => Promise<void>;

const CHECK_TIMEOUT_MS = 3000;

async function reason(check: ReadinessCheck): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no response within ${CHECK_TIMEOUT_MS} ms`)), CHECK_TIMEOUT_MS);
  });
  try {
    await Promise.race([check(), timeout]);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message || error.name : String(error);
  } finally {
    clearTimeout(timer);
  }
}

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

export interface Health {
  checks: Record<string, ReadinessCheck>;
  registry: Registry;
  metricsHost: string;
}

/** A process's health: whether its dependencies are reachable, and Node's own metrics. */
export function createHealth(metricsHost: string, checks: Record<string, ReadinessCheck>): Health {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return { checks, registry, metricsHost };
}

/** `/healthz`, `/readyz`, `/metrics`. */
export function healthRoutes(options: Health): Router {
  const router = new Router();
  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'up' };
  });
  router.get('/readyz', async (ctx) => {
    const entries = Object.entries(options.checks);
    const reasons = await Promise.all(entries.map(([, check]) => reason(check)));
    const checks = Object.fromEntries(entries.map(([name], index) => [name, reasons[index] ?? 'ok']));
    ctx.status = reasons.every((text) => text === null) ? 200 : 503;
    ctx.body = { status: ctx.status === 200 ? 'ready' : 'not ready', checks };
  });
  router.get('/metrics', async (ctx) => {
    if (!mayReadMetrics(ctx, options.metricsHost)) return;
    ctx.type = options.registry.contentType;
    ctx.body = await options.registry.metrics();
  });
  return router;
}
