import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { operations } from './operations.ts';
import { orderRoutes } from './order-operations.ts';
import type { Route } from './route.ts';

/** A table of operations without the schemas, as `readRoutes` reads it: repeated names cost the entry more than that. */
export const writtenRoutes = (routes: Record<string, Route>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(routes).map(([name, { method, path, bodyType = '' }]) => [
      name,
      `${method} ${path.replace(/^\/api\/v1\//, '')} ${bodyType}`.trimEnd(),
    ]),
  );

const moduleOf = (name: string, routes: Record<string, Route>): string =>
  `import { readRoutes } from './route.ts';\nexport const ${name} = readRoutes(${JSON.stringify(writtenRoutes(routes))});`;

const moduleFile = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** What each table's module evaluates to. */
const tables = new Map([
  [moduleFile('operations.ts'), moduleOf('operations', operations)],
  [moduleFile('order-operations.ts'), moduleOf('orderRoutes', orderRoutes)],
]);

/** Vite plugin: serves the tables of operations as the plain data they evaluate to, without the schemas. */
export function precomputeOperations(): Plugin {
  return {
    name: 'precompute-operations',
    enforce: 'pre',
    load: (id) => tables.get(id.split('?')[0] ?? '') ?? null,
  };
}
