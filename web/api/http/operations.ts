import { aiOperations } from '#domain/api/ai.ts';
import { frontendOperations } from '#domain/api/index.ts';
import { IDEMPOTENCY_HEADER, isAnsweredOnce } from '#domain/api/idempotency.ts';
import type { AnyOperation } from '#domain/api/operation.ts';
import { type Route, routesUnder } from './route.ts';

export type Operations = typeof frontendOperations & typeof aiOperations;

const takesKey = (operation: AnyOperation): boolean =>
  isAnsweredOnce(operation) || (operation.headers !== undefined && IDEMPOTENCY_HEADER in operation.headers.shape);

/** The routes, with those marked that take a key. */
const keyed = <Name extends string>(
  routes: Record<Name, Route>,
  all: Record<Name, AnyOperation>,
): Record<Name, Route> =>
  Object.fromEntries(
    Object.entries<Route>(routes).map(([name, route]) => [
      name,
      takesKey(all[name as Name]) ? { ...route, takesKey: true } : route,
    ]),
  ) as Record<Name, Route>;

/**
 * Method and path of every operation of the outreach API. The build replaces this module with its own result
 * (precomputeOperations), so that the schemas, which only the types need, stay out of the entry chunk.
 */
export const operations: Record<keyof Operations, Route> = {
  ...keyed(routesUnder('/api/v1', frontendOperations), frontendOperations),
  ...keyed(routesUnder('/api', aiOperations), aiOperations),
};
