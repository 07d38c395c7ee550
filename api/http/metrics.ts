import type { Context, Middleware } from 'koa';
import { Gauge, Histogram, type Registry } from 'prom-client';

/** From a response served from memory to one that waited for another service. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export type Durations = Histogram<'method' | 'route' | 'status'>;

/** Response times by route pattern, since ids in paths would create a series each. */
export const createDurations = (registry: Registry): Durations =>
  new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time until the response was ready, by method, route pattern and status',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: [registry],
  });

/** The pattern of a request's path, once it is served. */
export function routeOf(ctx: Context): string {
  const route: unknown = ctx['_matchedRoute'];
  return typeof route === 'string' ? route : 'none';
}

/** Notes how long requests take. The status is `none` if no response was sent. */
export function httpDurations(durations: Durations): Middleware {
  return async (ctx, next) => {
    const end = durations.startTimer();
    await next();
    const status = ctx.respond === false ? 'none' : ctx.status;
    end({ method: ctx.method, route: routeOf(ctx), status });
  };
}

export interface GaugeDefinition {
  name: string;
  help: string;
  labelNames?: string[];
}

/** A gauge's value from one database read, or its values by label. */
export type Reading = number | { labels: Record<string, string>; value: number }[];

/** Stalled work by phase and reason, labelled with who has to act. */
export function countedByReason<Reason extends string>(
  standing: readonly { phase: string; reason: Reason }[],
  waitsFor: Record<Reason, string>,
): Exclude<Reading, number> {
  const counts = new Map<string, { labels: Record<string, string>; value: number }>();
  for (const { phase, reason } of standing) {
    const { value = 0 } = counts.get(`${phase}/${reason}`) ?? {};
    counts.set(`${phase}/${reason}`, { labels: { phase, reason, waits_for: waitsFor[reason] }, value: value + 1 });
  }
  return [...counts.values()];
}

const valuesOf = (reading: Reading) => (typeof reading === 'number' ? [{ labels: {}, value: reading }] : reading);

/**
 * Gauges that are read from the database when they are collected, all in one read. If the read fails they are left
 * out, so that an old value is not mistaken for a new one.
 */
export function databaseGauges<Name extends string>(
  registry: Registry,
  definitions: Record<Name, GaugeDefinition>,
  read: () => Promise<Record<Name, Reading>>,
): void {
  let look: Promise<Record<Name, Reading>> | undefined;
  const shared = () => (look ??= read().finally(() => (look = undefined)));
  for (const [key, definition] of Object.entries(definitions) as [Name, GaugeDefinition][]) {
    const gauge: Gauge = new Gauge({
      ...definition,
      registers: [registry],
      async collect() {
        gauge.reset();
        const readings = await shared().catch(() => null);
        if (readings !== null) for (const { labels, value } of valuesOf(readings[key])) gauge.set(labels, value);
        // Without labels a reset gauge would say 0.
        else if (!definition.labelNames) gauge.remove();
      },
    });
  }
}
