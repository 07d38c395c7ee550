import type { Router } from '@koa/router';
import type { Context } from 'koa';
import { z } from 'zod';
import type { AnyApiOperation, BodyOf, HeadersOf, ParamsOf, QueryOf, ResponseOf } from '#domain/api/operation.ts';
import { type FieldError, fieldErrors, Problem } from '#domain/api/problem.ts';
import { readJson } from './body.ts';
import { assertMatched } from './if-match.ts';
import { changesIn, parseBody, withoutNulls } from './sent-back.ts';
import { type Coding, codingOf } from './incoming/coding.ts';

export type RequestPart = 'path' | 'query' | 'header' | 'body';

/** How one kind of API checks its requests, reports errors, and wraps its responses. */
export interface ApiConventions<Any extends AnyApiOperation> {
  /** The order in which the parts of a request are checked, which decides the error a caller sees first. */
  checks: readonly RequestPart[];
  /** The error for a part that does not match its schema. */
  invalid: (part: RequestPart, errors: FieldError[], operation: Any) => Error;
  /** Wraps a handler's response for sending. */
  envelope: (ctx: Context, response: unknown) => unknown;
}

/** A handler's input, fully parsed. */
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
  /** Finds the object named in the path, or throws. Runs as soon as the path is parsed. */
  load?: (call: { params: ParamsOf<O>; actor: Actor }) => Promise<Loaded>;
  /** Throws where a repeated call may not be answered; `load` where absent. Its body can still be read. */
  reach?: (call: { ctx: Context; params: ParamsOf<O>; actor: Actor }) => Promise<void>;
  /** What GET answers, for a PATCH: fields that are sent as they are count as not sent. */
  current?: (call: { actor: Actor; loaded: Loaded }) => Promise<ResponseOf<O>> | ResponseOf<O>;
  /** Where a response may have another status than the operation describes. */
  statusOf?: (response: ResponseOf<O>) => 200 | 202;
  /** Answers a PATCH that changes nothing, instead of `current`. */
  unchanged?: (call: Omit<Call<O, Actor, Loaded>, 'body'>) => ResponseOf<O>;
  handle: (call: Call<O, Actor, Loaded>) => Promise<ResponseOf<O>>;
}

/** Answers a call with `answer`, unless it repeats one. `reach` throws as that of `Handling`. */
export type AnswerOnce<Actor, Any extends AnyApiOperation> = (
  call: { ctx: Context; operation: Any; actor: Actor; reach: () => Promise<unknown> },
  answer: () => Promise<void>,
) => Promise<void>;

export interface ServeOptions<Actor, Any extends AnyApiOperation> {
  router: Router;
  /** Identifies the caller; throws if the caller is unknown or may not use the operation. */
  authenticate: (ctx: Context, operation: Any) => Promise<Actor>;
  /** Called with the reason why an identified caller got no response. */
  failed?: (failure: { actor: Actor; operation: Any; error: unknown }) => void;
  /** Checks each response against its schema, so that code and OpenAPI cannot diverge. Off in production. */
  checkResponses: boolean;
  /** Does what an identified caller asked for. */
  within?: (actor: Actor, work: () => Promise<void>) => Promise<void>;
  /** For an API whose callers repeat calls with an Idempotency-Key. */
  once?: AnswerOnce<Actor, Any>;
}

const emptyShape = z.object({});

/** `/campaigns/{id}:send` in the router's syntax. */
export function routerPath(path: string): string {
  return path.replaceAll(':', '\\:').replaceAll(/\{(\w+)\}/g, ':$1');
}

/** The inverse of `routerPath`. */
export const describedPath = (route: string): string =>
  route.replaceAll(/(?<!\\):(\w+)/g, '{$1}').replaceAll('\\:', ':');

/** Parses one part of a request; throws the API's own error if it does not match `schema`. */
export function parsePart<Any extends AnyApiOperation, Schema extends z.ZodType>(
  { invalid }: ApiConventions<Any>,
  { operation, part, schema }: { operation: Any; part: RequestPart; schema: Schema },
  value: unknown,
): z.output<Schema> {
  const result = part === 'body' ? parseBody(schema, value) : schema.safeParse(value);
  if (result.success) return result.data;
  throw invalid(part, fieldErrors(result.error, part === 'body' ? '' : part), operation);
}

/** Who has the bytes of an image alone does not know which type it is, and need not say any. */
const isOfType = (ctx: Context, type: string): boolean =>
  type === 'image/*' ? /^($|image\/|application\/octet-stream)/i.test(ctx.get('Content-Type')) : Boolean(ctx.is(type));

/** The coding in which an operation's body arrives. @throws Problem `unsupported_media_type` for one that it does not take. */
export const bodyCoding = (ctx: Context, { bodyType }: AnyApiOperation): Coding =>
  codingOf(ctx.req, bodyType === 'text/csv' ? 'gzip' : 'identity');

/** @throws Problem `unsupported_media_type` for another coding or type of body than the operation takes. */
function checkMedia(ctx: Context, operation: AnyApiOperation): void {
  bodyCoding(ctx, operation);
  const { bodyType } = operation;
  if (bodyType && !isOfType(ctx, bodyType)) throw new Problem('unsupported_media_type', `The body must be ${bodyType}`);
}

/** Reads and parses one part of a request as described by the operation. */
async function readPart<Any extends AnyApiOperation>(
  conventions: ApiConventions<Any>,
  operation: Any,
  part: RequestPart,
  ctx: Context,
): Promise<unknown> {
  const parse = (schema: z.ZodType, value: unknown) => parsePart(conventions, { operation, part, schema }, value);
  switch (part) {
    case 'path':
      return operation.params ? parse(operation.params, ctx['params']) : {};
    case 'query':
      return parse(operation.query ?? emptyShape, ctx.query);
    case 'header':
      return parse(operation.headers ?? emptyShape, ctx.headers);
    case 'body':
      checkMedia(ctx, operation);
      return operation.body && withoutNulls(operation, await readJson(ctx, operation.maxBodyBytes));
  }
}

/** Checks the parts of a request in the API's order, and has the handler respond. */
async function respond<Any extends AnyApiOperation, O extends Any, Actor, Loaded>(
  conventions: ApiConventions<Any>,
  { operation, handling }: { operation: O; handling: Handling<O, Actor, Loaded> },
  { ctx, actor }: { ctx: Context; actor: Actor },
): Promise<ResponseOf<O>> {
  const parts: Partial<Record<RequestPart, unknown>> = {};
  let loaded: Loaded | undefined;
  const callOf = () => ({
    ctx,
    actor,
    params: parts.path as ParamsOf<O>,
    query: parts.query as QueryOf<O>,
    headers: parts.header as HeadersOf<O>,
    loaded: loaded as Loaded,
  });
  for (const part of conventions.checks) {
    parts[part] = await readPart<Any>(conventions, operation, part, ctx);
    if (part === 'path') loaded = await handling.load?.({ params: parts.path as ParamsOf<O>, actor });
    if (part === 'body' && operation.body) {
      const current = await handling.current?.({ actor, loaded: loaded as Loaded });
      const changes = current === undefined ? parts.body : changesIn(operation, parts.body, current);
      // A body of null is none to take back.
      if (changes === null && parts.body !== null) {
        assertMatched(ctx.get('If-Match') || undefined, etagIn(current) ?? null);
        return handling.unchanged?.(callOf()) ?? (current as ResponseOf<O>);
      }
      parts.body = parsePart<Any, z.ZodType>(conventions, { operation, part, schema: operation.body }, changes);
    }
  }
  return await handling.handle({ ...callOf(), body: parts.body as BodyOf<O> });
}

/** The entity tag of the object that a response is. */
function etagIn(response: unknown): string | undefined {
  if (typeof response !== 'object' || response === null || !('etag' in response)) return undefined;
  return typeof response.etag === 'string' ? response.etag : undefined;
}

/** Returns, for one kind of API, a function that creates the `serve` of a router. It authenticates the caller first. */
export function serveBy<Any extends AnyApiOperation>(conventions: ApiConventions<Any>) {
  return function createServe<Actor>({
    router,
    authenticate,
    failed,
    checkResponses,
    within = (_actor, work) => work(),
    once,
  }: ServeOptions<Actor, Any>) {
    return function serve<O extends Any, Loaded = undefined>(operation: O, handling: Handling<O, Actor, Loaded>): void {
      router[operation.method](routerPath(operation.path), async (ctx: Context) => {
        const actor = await authenticate(ctx, operation);
        const answer = async () => {
          const response = await respond(conventions, { operation, handling }, { ctx, actor });
          if (ctx.respond === false || operation.responseType) return;
          ctx.status = handling.statusOf?.(response) ?? operation.status;
          if (!operation.response) return;
          const tag = etagIn(response);
          if (tag) ctx.set('ETag', tag);
          ctx.body = conventions.envelope(ctx, checkResponses ? operation.response.parse(response) : response);
        };
        const reach = async () => {
          const params = (await readPart<Any>(conventions, operation, 'path', ctx)) as ParamsOf<O>;
          return await (handling.reach ?? handling.load)?.({ ctx, params, actor });
        };
        const work = () => (once ? once({ ctx, operation, actor, reach }, answer) : answer());
        await within(actor, work).catch((error: unknown) => {
          failed?.({ actor, operation, error });
          throw error;
        });
      });
    };
  };
}
