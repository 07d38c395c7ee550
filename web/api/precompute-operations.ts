import type { Plugin } from 'vite';
import { operations } from './operations.ts';

/** Vite plugin: serves `api/operations.ts` as the plain table it evaluates to. */
export function precomputeOperations(): Plugin {
  return {
    name: 'precompute-operations',
    enforce: 'pre',
    load(id) {
      if (!id.split('?')[0]?.endsWith('/web/api/operations.ts')) return null;
      return `export const operations = ${JSON.stringify(operations)};`;
    },
  };
}
