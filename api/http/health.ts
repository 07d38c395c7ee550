import { Router } from '@koa/router';
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

export interface Health {
  checks: Record<string, ReadinessCheck>;
  registry: Registry;
}

/** A process's health: whether its dependencies are reachable, and Node's own metrics. */
export function createHealth(checks: Record<string, ReadinessCheck>): Health {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return { checks, registry };
}

/** `/healthz`, `/readyz`. */
export function healthRoutes({ checks: known }: Pick<Health, 'checks'>): Router {
  const router = new Router();
  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'up' };
  });
  router.get('/readyz', async (ctx) => {
    const entries = Object.entries(known);
    const reasons = await Promise.all(entries.map(([, check]) => reason(check)));
    const checks = Object.fromEntries(entries.map(([name], index) => [name, reasons[index] ?? 'ok']));
    ctx.status = reasons.every((text) => text === null) ? 200 : 503;
    ctx.body = { status: ctx.status === 200 ? 'ready' : 'not ready', checks };
  });
  return router;
}
