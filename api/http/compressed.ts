import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context } from 'koa';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

const compressible = new Set(['.css', '.html', '.js', '.json', '.svg', '.txt', '.webmanifest']);
const MINIMUM_TO_COMPRESS = 1024;

/** A file as it is kept in memory, compressed when somebody first asks for it so. */
export interface Asset {
  content: Buffer;
  encoded: Map<string, Promise<Buffer>>;
}

export const assetOf = (content: Buffer): Asset => ({ content, encoded: new Map<string, Promise<Buffer>>() });

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

/** Responds with a file, whose type its name says. */
export async function sendCompressed(ctx: Context, name: string, asset: Asset): Promise<void> {
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
