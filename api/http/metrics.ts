import type { Middleware } from 'koa';
import { Gauge, Histogram, type Registry } from 'prom-client';

/** From an answer out of memory to one that waited for another service. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/**
 * How long answers took, by the route's pattern: ids in paths would make a series each. Where none was sent, the status is
 * `none`.
 */
export function httpDurations(registry: Registry): Middleware {
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time until the answer was ready, by method, pattern of the route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: [registry],
  });
  return async (ctx, next) => {
    const end = durations.startTimer();
    await next();
    const route: unknown = ctx['_matchedRoute'];
    const status = ctx.respond === false ? 'none' : ctx.status;
    end({ method: ctx.method, route: typeof route === 'string' ? route : 'none', status });
  };
}

export interface GaugeDefinition {
  name: string;
  help: string;
  labelNames?: string[];
}

/** What one look at the database says for a gauge. */
export type Reading = { labels?: Record<string, string>; value: number }[];

/**
 * Gauges that are read from the database when they are asked for, all of them in one look. A look that fails leaves them
 * out, so that an old figure is not taken for a new one.
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
        if (readings !== null) for (const { labels = {}, value } of readings[key]) gauge.set(labels, value);
        // Without labels a reset gauge would say 0.
        else if (!definition.labelNames) gauge.remove();
      },
    });
  }
}
