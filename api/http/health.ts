import type { Router } from '@koa/router';
import type { Context } from 'koa';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { isLoopback } from '#domain/settings/loopback.ts';
import { createRouter } from './router.ts';

/** One dependency of a service. Resolves if it is reachable, rejects with the reason otherwise. */
export type ReadinessCheck = () => Promise<void>;

const CHECK_TIMEOUT_MS = 3000;
/** Whoever asks waits for no longer because of what is only said. */
const NOTICE_TIMEOUT_MS = 500;

async function reason(check: ReadinessCheck, timeoutMs: number): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no response within ${timeoutMs} ms`)), timeoutMs);
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
  /** Shown with the checks, but no reason to keep requests away. */
  notices?: Record<string, ReadinessCheck>;
  registry: Registry;
}

/** A process's health: whether its dependencies are reachable, and Node's own metrics. */
export function createHealth(checks: Health['checks'], notices: Health['checks'] = {}): Health {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return { checks, notices, registry };
}

/** Results are cached this long: a check costs a statement and two calls. */
const ANSWER_LASTS_MS = 1000;

type Answer = Record<string, string>;

/** What each check found: `ok` or the reason. Callers at the same time share one look. */
function createReadiness(checks: Health['checks'], notices: Health['checks']): () => Promise<Answer> {
  let latest: { at: number; answer: Promise<Answer> } | undefined;
  async function look(): Promise<Answer> {
    const of = (those: Health['checks'], timeoutMs: number) =>
      Object.entries(those).map(async ([name, check]) => [name, (await reason(check, timeoutMs)) ?? 'ok']);
    const found = [...of(checks, CHECK_TIMEOUT_MS), ...of(notices, NOTICE_TIMEOUT_MS)];
    return Object.fromEntries(await Promise.all(found)) as Answer;
  }
  return () => {
    const now = performance.now();
    if (!latest || now - latest.at > ANSWER_LASTS_MS) latest = { at: now, answer: look() };
    return latest.answer;
  };
}

/** Reasons name internal hosts and ports, so only callers on this machine see them. */
function isStranger(ctx: Context): boolean {
  const isForwarded = ctx.get('X-Forwarded-For') !== '' || ctx.get('Forwarded') !== '';
  return isForwarded || !isLoopback((ctx.req.socket.remoteAddress ?? '').replace(/^::ffff:/, ''));
}

const withoutReasons = (answer: Answer): Answer =>
  Object.fromEntries(Object.entries(answer).map(([name, text]) => [name, text === 'ok' ? text : 'unavailable']));

/** `/healthz` and `/livez`, which are one, and `/readyz`. */
export function healthRoutes({ checks, notices = {} }: Omit<Health, 'registry'>): Router {
  const router = createRouter();
  const readiness = createReadiness(checks, notices);
  for (const path of ['/healthz', '/livez'])
    router.get(path, (ctx) => {
      ctx.body = { status: 'up' };
    });
  router.get('/readyz', async (ctx) => {
    const answer = await readiness();
    ctx.status = Object.keys(checks).every((name) => answer[name] === 'ok') ? 200 : 503;
    const checked = isStranger(ctx) ? withoutReasons(answer) : answer;
    ctx.body = { status: ctx.status === 200 ? 'ready' : 'not ready', checks: checked };
  });
  return router;
}
