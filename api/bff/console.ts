import { readFile, stat } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { Router } from '@koa/router';
import type { Context } from 'koa';
import { Problem } from '../../domain/api/problem.ts';
import { escapeHtml } from '../http/html.ts';
import { consolePolicy } from './security-headers.ts';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

interface Asset {
  content: Buffer;
  modifiedMs: number;
  encoded: Map<string, Promise<Buffer>>;
}

const compressible = new Set(['.css', '.html', '.js', '.json', '.svg', '.txt', '.webmanifest']);
const MINIMUM_TO_COMPRESS = 1024;
const YEAR_SECONDS = 31_536_000;
const placeholder = '__EMBED_ALLOWED_ORIGINS__';

function encode(asset: Asset, encoding: string): Promise<Buffer> {
  const found = asset.encoded.get(encoding);
  if (found) return found;
  const { BROTLI_PARAM_QUALITY } = constants;
  const made =
    encoding === 'br'
      ? compressBrotli(asset.content, { params: { [BROTLI_PARAM_QUALITY]: 6 } })
      : compressGzip(asset.content);
  asset.encoded.set(encoding, made);
  return made;
}

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
  const assets = new Map<string, Asset>();
  const policy = consolePolicy(options.embedAllowedOrigins);

  async function read(name: string): Promise<Asset | undefined> {
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
    const asset = { content, modifiedMs: found.mtimeMs, encoded: new Map<string, Promise<Buffer>>() };
    assets.set(name, asset);
    return asset;
  }

  async function send(ctx: Context, name: string, asset: Asset): Promise<void> {
    ctx.type = extname(name);
    const worthwhile = compressible.has(extname(name)) && asset.content.length >= MINIMUM_TO_COMPRESS;
    // If the client accepts both, send the smaller one.
    const encoding = worthwhile && (ctx.acceptsEncodings('br') || ctx.acceptsEncodings('gzip'));
    if (worthwhile) ctx.vary('Accept-Encoding');
    if (encoding === 'br' || encoding === 'gzip') {
      ctx.set('Content-Encoding', encoding);
      ctx.body = await encode(asset, encoding);
    } else ctx.body = asset.content;
  }

  async function page(ctx: Context): Promise<void> {
    const index = await read('index.html');
    if (!index) throw new Problem('unavailable', 'The console is not built; run: npm run build');
    ctx.set('Cache-Control', 'no-cache');
    ctx.set('Content-Security-Policy', policy(ctx.path.startsWith('/embed')));
    await send(ctx, 'index.html', index);
  }

  /** Names under /assets change with their content, so those files can be cached forever. */
  async function file(ctx: Context): Promise<void> {
    const name = fileName(ctx.path);
    const hidden = name.split('/').some((part) => part.startsWith('.'));
    const asset = hidden || name.endsWith('.html') ? undefined : await read(name);
    if (!asset) throw new Problem('not_found', `There is no ${ctx.path}`);
    const kept = name.startsWith('assets/') ? `public, max-age=${YEAR_SECONDS}, immutable` : 'public, max-age=3600';
    ctx.set('Cache-Control', kept);
    await send(ctx, name, asset);
  }

  const router = new Router();
  router.get('/', (ctx) => ctx.redirect('/app'));
  for (const path of ['/app', '/app/{*rest}', '/embed', '/embed/{*rest}']) router.get(path, page);
  router.get('/assets/{*rest}', file);
  // Files next to the page, such as the icon.
  router.get('/:name', (ctx, next) => (/^[\w-]+\.\w+$/.test(ctx.params['name'] ?? '') ? file(ctx) : next()));
  return router;
}
