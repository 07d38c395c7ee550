import { readFile, stat } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import { Router } from '@koa/router';
import type { Context } from 'koa';
import { Problem } from '../../domain/api/problem.ts';
import { type Asset, assetOf, sendCompressed } from '../http/compressed.ts';
import { escapeHtml } from '../http/html.ts';
import { consolePolicy } from '../http/security/headers.ts';

interface KnownAsset extends Asset {
  modifiedMs: number;
}

const YEAR_SECONDS = 31_536_000;
const placeholder = '__EMBED_ALLOWED_ORIGINS__';

/** A file's path within the folder; empty if the address is not valid. */
function fileName(path: string): string {
  try {
    return normalize(decodeURIComponent(path)).replace(/^\/+/, '');
  } catch {
    return '';
  }
}

/** Serves the built console. Files are read and compressed once, and again when they change on disk. */
export function consoleRoutes(options: { folder: string; embedAllowedOrigins: string[] }): Router {
  const assets = new Map<string, KnownAsset>();
  const policy = consolePolicy(options.embedAllowedOrigins);

  async function read(name: string): Promise<KnownAsset | undefined> {
    const file = join(options.folder, name);
    const found = await stat(file).catch(() => undefined);
    if (!found?.isFile()) return undefined;
    const known = assets.get(name);
    if (known?.modifiedMs === found.mtimeMs) return known;
    let content = await readFile(file);
    if (name === 'index.html') {
      const origins = escapeHtml(options.embedAllowedOrigins.join(' '));
      content = Buffer.from(content.toString('utf8').replaceAll(placeholder, origins));
    }
    const asset = { ...assetOf(content), modifiedMs: found.mtimeMs };
    assets.set(name, asset);
    return asset;
  }

  async function page(ctx: Context): Promise<void> {
    const index = await read('index.html');
    if (!index) throw new Problem('unavailable', 'The console is not built; run: npm run build');
    ctx.set('Cache-Control', 'no-cache');
    ctx.set('Content-Security-Policy', policy(ctx.path.startsWith('/embed')));
    await sendCompressed(ctx, 'index.html', index);
  }

  /** Names under /assets change with their content, so those files can be cached forever. */
  async function file(ctx: Context): Promise<void> {
    const name = fileName(ctx.path);
    const hidden = name.split('/').some((part) => part.startsWith('.'));
    const asset = hidden || name.endsWith('.html') ? undefined : await read(name);
    if (!asset) throw new Problem('not_found', `There is no ${ctx.path}`);
    const kept = name.startsWith('assets/') ? `public, max-age=${YEAR_SECONDS}, immutable` : 'public, max-age=3600';
    ctx.set('Cache-Control', kept);
    await sendCompressed(ctx, name, asset);
  }

  const router = new Router();
  router.get('/', (ctx) => ctx.redirect('/app'));
  for (const path of ['/app', '/app/{*rest}', '/embed', '/embed/{*rest}']) router.get(path, page);
  router.get('/assets/{*rest}', file);
  // Files next to the page, such as the icon.
  router.get('/:name', (ctx, next) => (/^[\w-]+\.\w+$/.test(ctx.params['name'] ?? '') ? file(ctx) : next()));
  return router;
}
