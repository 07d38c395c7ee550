import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { tracing } from '../runtime/tracing/tracing.ts';

export const REQUEST_ID_HEADER = 'X-Request-Id';

/** Between our services: the id that the first of them gave the request. */
export const OWN_REQUEST_ID_HEADER = 'X-Own-Request-Id';

/** A request by our own id, which is unique, and by its caller's, who may write anything there. */
export interface RequestIds {
  requestId: string;
  /** Null if the caller gave none. */
  callerRequestId: string | null;
}

/** The same with the trace that it belongs to, if there are traces. */
export type LoggedRequest = RequestIds & { traceId?: string | undefined };

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
  return ids && shownId(ids);
}

/** Visible ASCII without spaces, so that callers can use ids of any format. */
const ACCEPTED = /^[\x21-\x7e]{1,128}$/;

const OURS = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Reached by our own services alone. */
const INTERNAL = '/internal/';

/** The id that the caller knows: its own, or else ours. */
export const shownId = ({ requestId: own, callerRequestId }: RequestIds): string => callerRequestId ?? own;

/** Gives a request an id of our own, and keeps the caller's well-formed `X-Request-Id` apart from it. */
export function idsOf({ headers }: Pick<IncomingMessage, 'headers'>, path: string): RequestIds {
  const ownGiven = String(headers[OWN_REQUEST_ID_HEADER.toLowerCase()] ?? '');
  const own = path.startsWith(INTERNAL) && OURS.test(ownGiven) ? ownGiven : randomUUID();
  const given = String(headers[REQUEST_ID_HEADER.toLowerCase()] ?? '');
  return { requestId: own, callerRequestId: ACCEPTED.test(given) && given !== own ? given : null };
}

/** Keeps the request's ids for everything below, and tells the caller the one that it knows. */
export const requestId: Middleware = async (ctx, next) => {
  const ids = idsOf(ctx.req, ctx.path);
  ctx.state['requestId'] = shownId(ids);
  ctx.set(REQUEST_ID_HEADER, shownId(ids));
  await current.run(ids, next);
};

/** What log lines of a request begin with. */
export function loggedFrom(request: LoggedRequest | undefined): Partial<Record<keyof LoggedRequest, string>> {
  if (!request) return {};
  const { requestId: own, callerRequestId, traceId } = request;
  return {
    requestId: own,
    ...(callerRequestId === null ? {} : { callerRequestId }),
    ...(traceId === undefined ? {} : { traceId }),
  };
}

/** The same of what is under way: a request, an activity, or nothing. */
export function loggedIds(): Partial<Record<keyof LoggedRequest, string>> {
  const traceId = tracing()?.traceId();
  return { ...loggedFrom(current.getStore()), ...(traceId === undefined ? {} : { traceId }) };
}
