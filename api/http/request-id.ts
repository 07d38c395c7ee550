import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';

export const REQUEST_ID_HEADER = 'X-Request-Id';

const current = new AsyncLocalStorage<string>();

/** The id of the current request, for calls to other services and for log lines below the routes. */
export function currentRequestId(): string | undefined {
  return current.getStore();
}

/** Visible ASCII without spaces, so that callers can use ids of any format. */
const ACCEPTED = /^[\x21-\x7e]{1,128}$/;

/**
 * Uses the caller's well-formed `X-Request-Id` or creates one, returns it in the response and makes it available to
 * the code below.
 */
export const requestId: Middleware = async (ctx, next) => {
  const given = ctx.get(REQUEST_ID_HEADER);
  const id = ACCEPTED.test(given) ? given : randomUUID();
  ctx.state['requestId'] = id;
  ctx.set(REQUEST_ID_HEADER, id);
  await current.run(id, next);
};
