import { readFileSync } from 'node:fs';
import { page, param, SandboxError } from '../http/route.ts';
import type { Route } from '../http/route.ts';
import { pictureOf } from './pictures.ts';

const types: Record<string, string> = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' };
const names = new Set(['sandbox.css', 'phone.css', 'phone.js', 'admin.js', 'host.js', 'sign-out.js']);

/** Styles, scripts and generated pictures for cards. */
export function assetRoutes(): Route[] {
  return [
    page('/assets/{name}', (call) => {
      const name = param(call, 'name');
      if (!names.has(name)) throw new SandboxError(404, 'not_found', 'there is no such file');
      const body = readFileSync(new URL(`assets/${name}`, import.meta.url), 'utf8');
      return { status: 200, body, headers: { 'Content-Type': types[name.split('.')[1] ?? ''] ?? 'text/plain' } };
    }),
    page('/pictures/{name}', (call) => ({
      status: 200,
      body: pictureOf(param(call, 'name')),
      headers: {
        'Content-Type': 'image/svg+xml',
        'Cache-Control': 'public, max-age=86400',
        'Access-Control-Allow-Origin': '*',
        'Cross-Origin-Resource-Policy': 'cross-origin',
      },
    })),
  ];
}
