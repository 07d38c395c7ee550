import type { Readable } from 'node:stream';
import type { Context } from 'koa';

/** Answers with a stream of server-sent events, which ends with its reader. */
export function streamTo(ctx: Context, stream: Readable): void {
  ctx.req.once('close', () => stream.destroy());
  ctx.type = 'text/event-stream';
  ctx.set('Cache-Control', 'no-cache, no-transform');
  ctx.set('X-Accel-Buffering', 'no');
  ctx.body = stream;
}
