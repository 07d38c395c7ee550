import { readFile } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import type { Router } from '@koa/router';
import type { Context } from 'koa';
import { Problem } from '#domain/api/problem.ts';
import { type Asset, assetOf, type Prepared, sendCompressed } from '#api/http/compressed.ts';
import { escapeHtml } from '#api/http/html.ts';
import { consolePolicy } from '#api/http/security/headers.ts';
import { type KeptFile, keptFile } from './kept-file.ts';
import { type Bundled, linksOf } from './links.ts';
import { createRouter } from '#api/http/router.ts';

interface ConsoleOptions {
  /** Of the built console. */
  folder: string;
  embedAllowedOrigins: string[];
}

const YEAR_SECONDS = 31_536_000;
const placeholder = '__EMBED_ALLOWED_ORIGINS__';

/** How the build names what it has compressed. */
const compressedNames = { br: '.br', gzip: '.gz' };

/** A file's path within the folder; empty if the address is not valid. */
function fileName(path: string): string {
  try {
    return normalize(decodeURIComponent(path)).replace(/^\/+/, '');
  } catch {
    return '';
  }
}

/** Serves the built console. Files are read once, and again when they change on disk. */
export function consoleRoutes({ folder, embedAllowedOrigins }: ConsoleOptions): Router {
  const policy = consolePolicy(embedAllowedOrigins);
  const assets = new Map<string, KeptFile<Asset>>();
  const origins = escapeHtml(embedAllowedOrigins.join(' '));
  const index = keptFile(join(folder, 'index.html'), (content) => ({
    html: content.toString('utf8').replaceAll(placeholder, origins),
    withLinks: new Map<string, Asset>(),
  }));
  const bundled = keptFile(join(folder, '.vite/bundled.json'), (content) => JSON.parse(content.toString()) as Bundled);

  function assetAt(name: string): KeptFile<Asset> {
    const path = join(folder, name);
    const prepared: Prepared = (encoding) => readFile(`${path}${compressedNames[encoding]}`).catch(() => undefined);
    return assets.get(name) ?? keptFile(path, (content) => assetOf(content, prepared));
  }

  async function pageAt(path: string, languages: string[]): Promise<Asset | undefined> {
    const [found, built] = await Promise.all([index(), bundled()]);
    if (!found) return undefined;
    const links = built ? linksOf(built, path, languages) : '';
    const known = found.withLinks.get(links);
    const asset = known ?? assetOf(Buffer.from(found.html.replace('</head>', `${links}</head>`)));
    found.withLinks.set(links, asset);
    return asset;
  }

  async function page(ctx: Context): Promise<void> {
    const asset = await pageAt(ctx.path, ctx.acceptsLanguages());
    if (!asset) throw new Problem('unavailable', 'The console is not built; run: npm run build');
    ctx.set('Cache-Control', 'no-cache');
    ctx.set('Content-Security-Policy', policy(ctx.path.startsWith('/embed')));
    ctx.vary('Accept-Language');
    await sendCompressed(ctx, 'index.html', asset);
  }

  /** Names under /assets change with their content, so those files can be cached forever. */
  async function file(ctx: Context): Promise<void> {
    const name = fileName(ctx.path);
    const hidden = name.split('/').some((part) => part.startsWith('.'));
    const kept = hidden || /\.(html|br|gz)$/.test(name) ? undefined : assetAt(name);
    const asset = await kept?.();
    if (!asset) throw new Problem('not_found', `There is no ${ctx.path}`);
    if (kept) assets.set(name, kept);
    const lasts = name.startsWith('assets/') ? `public, max-age=${YEAR_SECONDS}, immutable` : 'public, max-age=3600';
    ctx.set('Cache-Control', lasts);
    await sendCompressed(ctx, name, asset);
  }

  const router = createRouter();
  router.get('/', (ctx) => ctx.redirect('/app'));
  for (const path of ['/app', '/app/{*rest}', '/embed', '/embed/{*rest}']) router.get(path, page);
  router.get('/assets/{*rest}', file);
  // Files next to the page, such as the icon.
  router.get('/:name', (ctx, next) => (/^[\w-]+\.\w+$/.test(ctx.params['name'] ?? '') ? file(ctx) : next()));
  return router;
}
