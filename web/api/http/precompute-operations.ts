import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { operations } from './operations.ts';
import { orderRoutes } from './order-operations.ts';

const moduleFile = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** What each table's module evaluates to. */
const tables = new Map([
  [moduleFile('operations.ts'), `export const operations = ${JSON.stringify(operations)};`],
  [moduleFile('order-operations.ts'), `export const orderRoutes = ${JSON.stringify(orderRoutes)};`],
]);

/** Vite plugin: serves the tables of operations as the plain data they evaluate to, without the schemas. */
export function precomputeOperations(): Plugin {
  return {
    name: 'precompute-operations',
    enforce: 'pre',
    load: (id) => tables.get(id.split('?')[0] ?? '') ?? null,
  };
}
