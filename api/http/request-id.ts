import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { Context, Middleware } from 'koa';

export const REQUEST_ID_HEADER = 'X-Request-Id';

/** Between our services: the id that the first of them gave the request. */
export const OWN_REQUEST_ID_HEADER = 'X-Own-Request-Id';

/** A request by our own id, which is unique, and by its caller's, who may write anything there. */
export interface RequestIds {
  requestId: string;
  /** Null if the caller gave none. */
  callerRequestId: string | null;
}

const current = new AsyncLocalStorage<RequestIds>();

/** The ids of the current request, for log lines and calls below the routes. */
export function currentRequest(): RequestIds | undefined {
  return current.getStore();
}

/** The same for the audit log: null outside of requests. */
export function auditedIds(): { requestId: string | null; callerRequestId: string | null } {
  return currentRequest() ?? { requestId: null, callerRequestId: null };
}

/** The id that the caller of the current request knows, for calls to other services. */
export function currentRequestId(): string | undefined {
  const ids = current.getStore();
  return ids?.callerRequestId ?? ids?.requestId;
}

/** Visible ASCII without spaces, so that callers can use ids of any format. */
const ACCEPTED = /^[\x21-\x7e]{1,128}$/;

const OURS = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Reached by our own services alone. */
const INTERNAL = '/internal/';

function ownId(ctx: Context): string {
  const given = ctx.get(OWN_REQUEST_ID_HEADER);
  return ctx.path.startsWith(INTERNAL) && OURS.test(given) ? given : randomUUID();
}

/**
 * Gives the request an id of our own, and keeps the caller's well-formed `X-Request-Id` apart from it. The response has
 * the one that the caller knows: its own, or else ours.
 */
export const requestId: Middleware = async (ctx, next) => {
  const given = ctx.get(REQUEST_ID_HEADER);
  const own = ownId(ctx);
  const callerRequestId = ACCEPTED.test(given) && given !== own ? given : null;
  ctx.state['requestId'] = callerRequestId ?? own;
  ctx.set(REQUEST_ID_HEADER, callerRequestId ?? own);
  await current.run({ requestId: own, callerRequestId }, next);
};

/** What log lines of the current request begin with. */
export function loggedIds(): { requestId?: string; callerRequestId?: string } {
  const ids = current.getStore();
  if (!ids) return {};
  const { requestId: own, callerRequestId } = ids;
  return { requestId: own, ...(callerRequestId === null ? {} : { callerRequestId }) };
}
