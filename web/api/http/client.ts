import type { AnyApiOperation, BodyInputOf, HeadersOf, ParamsOf, QueryOf, ResponseOf } from '#domain/api/operation.ts';
import { keeping } from './kept-keys.ts';
import { unreachable } from './problem.ts';
import type { Route } from './route.ts';

/** Required if the operation has such a part, otherwise absent. */
type Part<Key extends string, Value> = [Value] extends [Record<string, never> | undefined]
  ? { [K in Key]?: undefined }
  : undefined extends Value
    ? { [K in Key]?: Value }
    : { [K in Key]: Value };

type OptionalPart<Key extends string, Value> = [Value] extends [Record<string, never>]
  ? { [K in Key]?: undefined }
  : { [K in Key]?: Partial<Value> | undefined };

type JsonBody<O> = O extends { bodyType?: AnyApiOperation['bodyType'] } ? BodyInputOf<O> : never;

export type CallInput<O> = Part<'params', ParamsOf<O>> &
  OptionalPart<'query', QueryOf<O>> &
  OptionalPart<'headers', HeadersOf<O>> &
  Part<'body', JsonBody<O>> & { signal?: AbortSignal | undefined };

/** A response with the headers that some callers need (`etag`, `date`). */
export interface Exchange<O> {
  response: ResponseOf<O>;
  headers: Headers;
}

interface LooseInput {
  params?: Record<string, string> | undefined;
  query?: Record<string, unknown> | undefined;
  headers?: Record<string, string | undefined> | undefined;
  body?: unknown;
  signal?: AbortSignal | undefined;
}

export interface ClientDeps<Operations> {
  routes: Record<keyof Operations, Route>;
  fetch: typeof fetch;
  /** Whether an operation is carried out once for each `Idempotency-Key`. */
  takesKey: (route: Route) => boolean;
  /** Bearer token of an embedded page; null if the cookie session is used instead. */
  token: () => string | null;
  /** Called once per 401; returns whether the call may be retried (a new token has arrived). */
  onUnauthorized: () => Promise<boolean>;
  /** Whether the browser has a network. */
  isOnline: () => boolean;
  /** Called where a request got no response. */
  onUnreachable: () => void;
  /** Reads the operation's result from a response; throws the API's own error if it is one. */
  read: (response: Response) => Promise<unknown>;
}

export interface Client<Operations extends Record<string, AnyApiOperation>> {
  call: <Name extends keyof Operations>(
    name: Name,
    ...input: Inputs<Operations[Name]>
  ) => Promise<ResponseOf<Operations[Name]>>;
  exchange: <Name extends keyof Operations>(
    name: Name,
    ...input: Inputs<Operations[Name]>
  ) => Promise<Exchange<Operations[Name]>>;
  /** The open response of a streaming operation. */
  open: <Name extends keyof Operations>(name: Name, ...input: Inputs<Operations[Name]>) => Promise<Response>;
}

type Inputs<O> = Record<string, never> extends CallInput<O> ? [input?: CallInput<O>] : [input: CallInput<O>];

const KEY = 'idempotency-key';

/** The path with its parameters filled in, and the query without undefined, null and empty values. */
export function addressOf(route: Pick<Route, 'path'>, input: LooseInput): string {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = input.params?.[name];
    if (value === undefined) throw new Error(`parameter ${name} of ${route.path} is missing`);
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {})) {
    for (const one of [value].flat())
      if (one !== undefined && one !== null && one !== '') query.append(name, String(one));
  }
  const search = query.toString();
  return `${path}${search ? `?${search}` : ''}`;
}

function requestOf(route: Route, input: LooseInput, token: string | null): RequestInit {
  const headers = new Headers({ accept: 'application/json' });
  for (const [name, value] of Object.entries(input.headers ?? {})) {
    if (value !== undefined) headers.set(name, value);
  }
  if (token) headers.set('authorization', `Bearer ${token}`);
  const init: RequestInit = { method: route.method.toUpperCase(), headers, credentials: 'same-origin' };
  if (input.signal) init.signal = input.signal;
  if (input.body !== undefined) {
    headers.set('content-type', route.bodyType ?? 'application/json');
    init.body = JSON.stringify(input.body);
  }
  return init;
}

/**
 * The typed client of one API. What changes something gets a key of its own (`keeping`); what can be aborted only reads.
 * Throws what `read` does, ApiProblem `network`, or AbortError when aborted. */
export function createClient<Operations extends Record<string, AnyApiOperation>>(
  deps: ClientDeps<Operations>,
): Client<Operations> {
  async function send(route: Route, input: LooseInput): Promise<Response> {
    const init = requestOf(route, input, deps.token());
    const wasOnline = deps.isOnline();
    try {
      return await deps.fetch(addressOf(route, input), init);
    } catch (error) {
      if (input.signal?.aborted) throw error;
      deps.onUnreachable();
      throw unreachable(error, wasOnline);
    }
  }

  async function respond(name: keyof Operations, input: LooseInput): Promise<Response> {
    const route = deps.routes[name];
    let response = await send(route, input);
    if (response.status === 401 && (await deps.onUnauthorized())) response = await send(route, input);
    return response;
  }

  const exchange: Client<Operations>['exchange'] = async <Name extends keyof Operations>(
    name: Name,
    ...[input]: Inputs<Operations[Name]>
  ) => {
    const route = deps.routes[name];
    const given = (input ?? {}) as LooseInput;
    const ask = async (key?: string) => {
      const headers = key === undefined ? given.headers : { ...given.headers, [KEY]: key };
      const response = await respond(name, { ...given, headers });
      return { response: (await deps.read(response)) as ResponseOf<Operations[Name]>, headers: response.headers };
    };
    if (!deps.takesKey(route) || given.signal || given.headers?.[KEY] !== undefined) return ask();
    return keeping(JSON.stringify([route.method, addressOf(route, given), given.body]), ask);
  };

  return {
    exchange,
    call: async (name, ...input) => (await exchange(name, ...input)).response,
    open: async (name, ...[input]) => {
      const response = await respond(name, (input ?? {}) as LooseInput);
      if (!response.ok) await deps.read(response);
      return response;
    },
  };
}
