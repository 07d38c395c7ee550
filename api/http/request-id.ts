import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';

export const REQUEST_ID_HEADER = 'X-Request-Id';

const current = new AsyncLocalStorage<string>();

/** The id of the request being served, for calls to the next service and for log lines below the routes. */
export function currentRequestId(): string | undefined {
  return current.getStore();
}

/** One word of visible ASCII, in whatever form the caller counts its requests. */
const ACCEPTED = /^[\x21-\x7e]{1,128}$/;

/** Takes a caller's well-formed `X-Request-Id` or makes one, sends it back and keeps it for everything below. */
export const requestId: Middleware = async (ctx, next) => {
  const given = ctx.get(REQUEST_ID_HEADER);
  const id = ACCEPTED.test(given) ? given : randomUUID();
  ctx.state['requestId'] = id;
  ctx.set(REQUEST_ID_HEADER, id);
  await current.run(id, next);
};
