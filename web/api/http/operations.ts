import { aiOperations } from '#domain/api/ai.ts';
import { frontendOperations } from '#domain/api/index.ts';
import { type Route, routesUnder } from './route.ts';

export type Operations = typeof frontendOperations & typeof aiOperations;

/**
 * Method and path of every operation of the outreach API. The build replaces this module with its own result
 * (precomputeOperations), so that the schemas, which only the types need, stay out of the entry chunk.
 */
export const operations: Record<keyof Operations, Route> = {
  ...routesUnder('/api/v1', frontendOperations),
  ...routesUnder('/api', aiOperations),
};
