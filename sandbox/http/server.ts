import { Router } from '@koa/router';
import Koa from 'koa';
import type { Context } from 'koa';
import type { Logger } from 'pino';
import getRawBody from 'raw-body';
import { type Health, healthRoutes } from '#api/http/health.ts';
import { routerPath } from '#api/http/serve.ts';
import { NONCE_HEADER, parseAuthorization } from '#domain/signature.ts';
import type { Fault, Faults } from '../faults.ts';
import type { CallLog } from './calls.ts';
import { metricsRoutes } from './metrics.ts';
import { openApiOf } from './openapi.ts';
import { isControl, SandboxError } from './route.ts';
import type { ApiResponse, Call, Route } from './route.ts';

export interface ServerDeps {
  routes: Route[];
  faults: Faults;
  calls: CallLog;
  log: Logger;
  health: Health;
  metricsHost: string;
  durations: Koa.Middleware;
}

const BODY_LIMIT = 16 << 20;

/**
 * A Koa application with all routes, each wrapped in faults and the call log, and with the routes common to every
 * service.
 */
export function createServer(deps: ServerDeps): Koa {
  const app = new Koa();
  const router = new Router();
  for (const route of deps.routes) {
    router.register(routerPath(route.path), [route.method], (context: Context) => serve(deps, route, context));
  }
  router.get('/openapi.json', (context) => {
    context.body = openApiOf(deps.routes);
  });
  app.use(deps.durations);
  app.use(healthRoutes(deps.health).routes());
  app.use(metricsRoutes(deps.health.registry, deps.metricsHost).routes());
  app.use(router.routes());
  app.on('error', (error: Error) => deps.log.debug({ error: error.message }, 'a connection ended early'));
  return app;
}

async function serve(deps: ServerDeps, route: Route, context: Context): Promise<void> {
  const call = await readCall(context);
  if (isControl(route)) {
    send(context, await settle(deps, route, call));
    return;
  }
  const started = Date.now();
  const trouble = deps.faults.take({
    route: route.code,
    tenantIntegrationId: parseAuthorization(call.headers.authorization)?.tenantIntegrationId,
    body: call.body,
  });
  if (trouble.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, trouble.delayMs));
  const { response, arrives } = await underFault(deps, route, call, trouble.fault);
  record(deps, { route, call, response, started, arrives, fault: faultName(trouble.fault, trouble.delayMs) });
  if (arrives && response) send(context, response);
  else destroy(context);
}

function faultName(fault: Fault | null, delayMs: number): string | undefined {
  return fault?.mode ?? (delayMs > 0 ? 'slow' : undefined);
}

/** Handles a call with its fault; `arrives` is false if the caller never receives the response. */
async function underFault(
  deps: ServerDeps,
  route: Route,
  call: Call,
  fault: Fault | null,
): Promise<{ response: ApiResponse | null; arrives: boolean }> {
  if (fault?.mode === 'reset') return { response: null, arrives: false };
  if (fault?.mode === 'status' && !fault.afterEffect) return { response: failure(fault), arrives: true };
  const response = await settle(deps, route, call);
  if (fault?.mode === 'status') return { response: failure(fault), arrives: true };
  return { response, arrives: fault?.mode !== 'lost-answer' };
}

function failure(fault: Fault): ApiResponse {
  return {
    status: fault.status,
    body: fault.code ? { code: fault.code, message: 'sandbox fault' } : 'sandbox fault',
    headers: fault.retryAfter === undefined ? {} : { 'Retry-After': String(fault.retryAfter) },
  };
}

async function settle(deps: ServerDeps, route: Route, call: Call): Promise<ApiResponse> {
  try {
    return await route.handle(call);
  } catch (error) {
    if (error instanceof SandboxError) return { status: error.status, body: error.body, headers: error.headers };
    deps.log.error({ error, route: route.code, path: call.path }, 'internal error of the sandbox');
    return { status: 500, body: 'internal error of the sandbox; see its log' };
  }
}

async function readCall(context: Context): Promise<Call> {
  const body = await getRawBody(context.req, { limit: BODY_LIMIT });
  return {
    method: context.method,
    path: context.path,
    params: context.params as Record<string, string>,
    query: context.URL.searchParams,
    headers: context.headers,
    body,
    note: {},
  };
}

function send(context: Context, response: ApiResponse): void {
  context.status = response.status;
  for (const [name, value] of Object.entries(response.headers ?? {})) context.set(name, value);
  if (response.body === undefined) context.body = null;
  else if (typeof response.body === 'string' || Buffer.isBuffer(response.body)) context.body = response.body;
  else {
    context.type = 'application/json';
    context.body = JSON.stringify(response.body);
  }
  if (response.body === undefined) context.status = response.status;
}

function destroy(context: Context): void {
  context.respond = false;
  context.req.socket.destroy();
}

interface Outcome {
  route: Route;
  call: Call;
  response: ApiResponse | null;
  started: number;
  arrives: boolean;
  fault: string | undefined;
}

function record(deps: ServerDeps, { route, call, response, started, arrives, fault }: Outcome): void {
  const number = deps.calls.nextNumber();
  const nonce = call.headers[NONCE_HEADER.toLowerCase()];
  const key = call.headers['idempotency-key'];
  const code = (response?.body as { code?: unknown } | undefined)?.code;
  deps.calls.keepBody(number, call.body, response?.body);
  deps.calls.record({
    number,
    at: new Date(started).toISOString(),
    route: route.code,
    method: call.method,
    path: call.path,
    status: arrives ? (response?.status ?? null) : null,
    ...(typeof code === 'string' ? { code } : {}),
    ...call.note,
    ...(typeof nonce === 'string' ? { nonce } : {}),
    ...(typeof key === 'string' ? { idempotencyKey: key } : {}),
    ...(fault ? { fault } : {}),
    bodyBytes: call.body.length,
    durationMs: Date.now() - started,
  });
}
