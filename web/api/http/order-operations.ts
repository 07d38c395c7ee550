import { orderOperations } from '../../../domain/orders/operations.ts';

export type OrderOperations = typeof orderOperations;
export type OrderOperationName = keyof OrderOperations;

export interface OrderRoute {
  method: 'get' | 'post' | 'put';
  path: string;
}

/** Method and path of every operation of the order service; the build serves the result only (precomputeOperations). */
export const orderRoutes = Object.fromEntries(
  Object.entries(orderOperations).map(([name, { method, path }]) => [name, { method, path }]),
) as Record<OrderOperationName, OrderRoute>;
