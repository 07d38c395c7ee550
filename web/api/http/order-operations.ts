import { orderOperations } from '#domain/orders/operations.ts';
import { routesUnder } from './route.ts';

export type OrderOperations = typeof orderOperations;

/** Method and path of every operation of the order service, called through the BFF; precomputed like `operations`. */
export const orderRoutes = routesUnder('/api/v1/transaction/v1', orderOperations);
