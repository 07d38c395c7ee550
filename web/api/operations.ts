import { frontendOperations } from '../../domain/api/index.ts';

export type Operations = typeof frontendOperations;
export type OperationName = keyof Operations;

/** What the client needs of an operation while it runs. */
export interface Route {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  path: string;
  bodyType?: string;
}

function routeOf({ method, path, bodyType }: Route): Route {
  return bodyType ? { method, path, bodyType } : { method, path };
}

/**
 * Method and path of every operation. The build replaces this module by its own result (precomputeOperations), so that
 * the schemas, which only the types need, stay out of the entry chunk.
 */
export const operations = Object.fromEntries(
  Object.entries(frontendOperations).map(([name, operation]) => [name, routeOf(operation)]),
) as Record<OperationName, Route>;
