import type { Router } from '@koa/router';
import type { Context } from 'koa';
import { z } from 'zod';
import type { ResponseOf, AnyOperation, BodyOf, HeadersOf, ParamsOf, QueryOf } from '../../domain/api/operation.ts';
import { fieldErrors, Problem } from '../../domain/api/problem.ts';
import { readJson } from './body.ts';

/** What a handler is given: everything parsed, in the order in which refusals are made. */
export interface Call<O, Actor, Loaded> {
  ctx: Context;
  actor: Actor;
  params: ParamsOf<O>;
  query: QueryOf<O>;
  headers: HeadersOf<O>;
  body: BodyOf<O>;
  /** What `load` found. */
  loaded: Loaded;
}

export interface Handling<O, Actor, Loaded> {
  /** Finds the object of the path; throws `not_found`. Runs before the body is looked at (404 comes before 400). */
  load?: (call: { params: ParamsOf<O>; actor: Actor }) => Promise<Loaded>;
  handle: (call: Call<O, Actor, Loaded>) => Promise<ResponseOf<O>>;
}

export interface ServeOptions<Actor> {
  router: Router;
  /** Who calls, and whether that may use the operation; throws `unauthorized` or `forbidden`. */
  authenticate: (ctx: Context, operation: AnyOperation) => Promise<Actor>;
  /** Checks each answer against its schema, so that code and OpenAPI cannot drift apart. Off in production. */
  checkResponses: boolean;
}

const emptyShape = z.object({});

/** `/campaigns/{id}:send` in the router's syntax. */
export function routerPath(path: string): string {
  return path.replaceAll(':', '\\:').replaceAll(/\{(\w+)\}/g, ':$1');
}

function parse(schema: z.ZodType, value: unknown, place: string): unknown {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new Problem('invalid_request', `The ${place || 'body'} does not fit its schema`, {
    errors: fieldErrors(result.error, place),
  });
}

/** A parameter that cannot be an id names nothing: 404, as for an id that is not there. */
function parseParams(operation: AnyOperation, ctx: Context): unknown {
  if (!operation.params) return {};
  const result = operation.params.safeParse(ctx['params']);
  if (!result.success) throw new Problem('not_found', `There is no ${operation.tag} of this id`);
  return result.data;
}

/**
 * Gives a function that serves operations on `router`. Refusals come in the order 401, 403, 404, 400 and then what the
 * handler refuses.
 */
export function createServe<Actor>({ router, authenticate, checkResponses }: ServeOptions<Actor>) {
  return function serve<O extends AnyOperation, Loaded = undefined>(
    operation: O,
    handling: Handling<O, Actor, Loaded>,
  ): void {
    router[operation.method](routerPath(operation.path), async (ctx: Context) => {
      const actor = await authenticate(ctx, operation);
      const params = parseParams(operation, ctx) as ParamsOf<O>;
      const loaded = (await handling.load?.({ params, actor })) as Loaded;
      const query = parse(operation.query ?? emptyShape, ctx.query, 'query') as QueryOf<O>;
      const headers = parse(operation.headers ?? emptyShape, ctx.headers, 'header') as HeadersOf<O>;
      const body = (
        operation.body ? parse(operation.body, await readJson(ctx, operation.maxBodyBytes), '') : undefined
      ) as BodyOf<O>;
      const response = await handling.handle({ ctx, actor, params, query, headers, body, loaded });
      if (ctx.respond === false || operation.responseType) return;
      ctx.status = operation.status;
      if (operation.response) ctx.body = checkResponses ? operation.response.parse(response) : response;
    });
  };
}
