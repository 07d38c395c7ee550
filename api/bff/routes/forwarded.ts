import type { Router } from '@koa/router';
import type { Context } from 'koa';
import { aiOperations } from '#domain/api/ai.ts';
import { backendOperations } from '#domain/api/index.ts';
import type { AnyOperation } from '#domain/api/operation.ts';
import { Problem } from '#domain/api/problem.ts';
import { parseKey } from '#domain/keys/key-text.ts';
import { staffOrderOperations } from '#domain/orders/operations/staff-orders.ts';
import { bearerToken } from '#api/http/platform-token.ts';
import { routerPath } from '#api/http/serve.ts';
import type { Forwarder } from '../forward.ts';
import type { Authenticate } from '../identity/authenticate.ts';
import type { BackendTokens } from '../identity/backend-tokens.ts';
import type { Limits } from '../limits/limits.ts';
import type { Streams } from '../streams.ts';
import { createRouter } from '#api/http/router.ts';

export interface ForwardedDeps {
  authenticate: Authenticate;
  backendTokens: BackendTokens;
  /** Forwards to the backend. */
  backendForwarder: Forwarder;
  ordersForwarder: Forwarder;
  streams: Streams;
  limits: Limits;
}

const FRONTEND_PREFIX = '/api/v1';
const INTERNAL_PREFIX = '/internal/v1';
export const AI_PREFIX = '/api';

/** Serves a backend operation under `prefix`: the BFF authenticates the caller, the backend validates the request. */
function forwardOperation(router: Router, deps: ForwardedDeps, prefix: string, operation: AnyOperation): void {
  router[operation.method](`${prefix}${routerPath(operation.path)}`, async (ctx) => {
    const { access, responseType } = operation;
    const user = await deps.authenticate.console(ctx, operation);
    await deps.limits.call(operation, user);
    const requestId = String(ctx.state['requestId']);
    const isStream = responseType === 'text/event-stream';
    await deps.backendForwarder.forward(
      ctx,
      {
        path: `${INTERNAL_PREFIX}${ctx.url.slice(prefix.length)}`,
        bearer: await deps.backendTokens.tokenFor(user, requestId),
        ...(isStream && {
          stream: deps.streams.open(ctx, user, () => deps.authenticate.stillConsole(user, access)),
        }),
      },
      { bearer: () => deps.backendTokens.renew(user, requestId) },
    );
  });
}

/** Every operation of the backend, as part of the frontend API. */
export function backendRoutes(deps: ForwardedDeps): Router {
  const router = createRouter();
  const operations: AnyOperation[] = Object.values(backendOperations);
  for (const operation of operations) forwardOperation(router, deps, FRONTEND_PREFIX, operation);
  return router;
}

const ORDERS_PREFIX = '/transaction';
const { exportOrders } = staffOrderOperations;

/**
 * The order service identifies people by their platform token, and programs by their API key, and does its own
 * authorization. It is available under its own gateway prefix and as part of the frontend API.
 */
export function ordersRoutes(deps: ForwardedDeps): Router {
  const forward = async (ctx: Context, operation?: typeof exportOrders): Promise<void> => {
    const path = ctx.url.startsWith(FRONTEND_PREFIX) ? ctx.url.slice(FRONTEND_PREFIX.length) : ctx.url;
    const key = bearerToken(ctx.get('Authorization'));
    if (key !== null && parseKey(key)) return deps.ordersForwarder.forward(ctx, { path, bearer: key });
    const { who, platformToken } = await deps.authenticate.platformSession(ctx);
    if (who.integrationStatus === 'UNINSTALLED') throw new Problem('forbidden', 'The application is uninstalled');
    if (operation) await deps.limits.call(operation, who);
    await deps.ordersForwarder.forward(ctx, { path, bearer: platformToken });
  };
  const places = (path: string) => [ORDERS_PREFIX, FRONTEND_PREFIX + ORDERS_PREFIX].map((prefix) => prefix + path);
  return createRouter()
    .get(places(`/v1${exportOrders.path}`), (ctx) => forward(ctx, exportOrders))
    .all(places('/{*path}'), (ctx) => forward(ctx));
}

/** The operations that use models. While disabled, they respond with an error that says so, not a plain 404. */
export function aiRoutes(deps: ForwardedDeps, enabled: boolean): Router {
  const router = createRouter();
  if (enabled) forwardOperation(router, deps, AI_PREFIX, aiOperations.writeCopy);
  return router.all(`${AI_PREFIX}/ai{/*path}`, (ctx) => {
    if (!enabled) throw new Problem('phase_2', `${ctx.path} is not part of this phase (TOOL_API_ENABLED)`);
    throw new Problem('not_found', `There is no ${ctx.method} ${ctx.path}`);
  });
}
