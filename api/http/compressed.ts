import { extname } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Context } from 'koa';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

const compressible = new Set(['.css', '.html', '.js', '.json', '.svg', '.txt', '.webmanifest']);
const MINIMUM_TO_COMPRESS = 1024;

type Encoding = 'br' | 'gzip';

/** Reads the precompressed file; undefined if there is none. */
export type Prepared = (encoding: Encoding) => Promise<Buffer | undefined>;

/** A file in memory, compressed on first request. */
export interface Asset {
  content: Buffer;
  prepared: Prepared;
  encoded: Map<Encoding, Promise<Buffer>>;
}

const nothingPrepared: Prepared = () => Promise.resolve(undefined);

export const assetOf = (content: Buffer, prepared: Prepared = nothingPrepared): Asset => ({
  content,
  prepared,
  encoded: new Map<Encoding, Promise<Buffer>>(),
});

function compress(content: Buffer, encoding: Encoding): Promise<Buffer> {
  const { BROTLI_PARAM_QUALITY } = constants;
  return encoding === 'br' ? compressBrotli(content, { params: { [BROTLI_PARAM_QUALITY]: 6 } }) : compressGzip(content);
}

function encode(asset: Asset, encoding: Encoding): Promise<Buffer> {
  const found = asset.encoded.get(encoding);
  if (found) return found;
  const made = asset.prepared(encoding).then((ready) => ready ?? compress(asset.content, encoding));
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
