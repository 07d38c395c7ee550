import { aiOperations } from '../../../domain/api/ai.ts';
import { frontendOperations } from '../../../domain/api/index.ts';

export type Operations = typeof frontendOperations & typeof aiOperations;
export type OperationName = keyof Operations;

/** What the client needs of an operation while it runs. */
export interface Route {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** From the root of the server. */
  path: string;
  bodyType?: string;
}

function routesUnder(prefix: string, described: Record<string, Route>): [string, Route][] {
  return Object.entries(described).map(([name, { method, path, bodyType }]) => {
    const route = { method, path: `${prefix}${path}` };
    return [name, bodyType ? { ...route, bodyType } : route];
  });
}

/**
 * Method and path of every operation. The build replaces this module by its own result (precomputeOperations), so that
 * the schemas, which only the types need, stay out of the entry chunk.
 */
export const operations = Object.fromEntries([
  ...routesUnder('/api/v1', frontendOperations),
  ...routesUnder('/api', aiOperations),
]) as Record<OperationName, Route>;
