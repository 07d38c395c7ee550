import type { Plugin } from 'vite';
import { operations } from './operations.ts';
import { orderRoutes } from './order-operations.ts';

/** Vite plugin: serves `api/operations.ts` and `api/order-operations.ts` as the plain tables they evaluate to. */
export function precomputeOperations(): Plugin {
  return {
    name: 'precompute-operations',
    enforce: 'pre',
    load(id) {
      const file = id.split('?')[0];
      if (file?.endsWith('/web/api/operations.ts')) return `export const operations = ${JSON.stringify(operations)};`;
      if (file?.endsWith('/web/api/order-operations.ts'))
        return `export const orderRoutes = ${JSON.stringify(orderRoutes)};`;
      return null;
    },
  };
}
