import type { ResponseOf, BodyInputOf, HeadersOf, ParamsOf, QueryOf } from '../../../domain/api/operation.ts';
import type { OperationName, Operations, Route } from './operations.ts';
import { problemOf, unreachable } from './problem.ts';

/** Required where the operation has such a part, absent where it has none. */
type Part<Key extends string, Value> = [Value] extends [Record<string, never> | undefined]
  ? { [K in Key]?: undefined }
  : undefined extends Value
    ? { [K in Key]?: Value }
    : { [K in Key]: Value };

type OptionalPart<Key extends string, Value> = [Value] extends [Record<string, never>]
  ? { [K in Key]?: undefined }
  : { [K in Key]?: Partial<Value> | undefined };

type JsonBody<O> = O extends { bodyType?: 'text/csv' } ? BodyInputOf<O> : never;

export type CallInput<Name extends OperationName> = Part<'params', ParamsOf<Operations[Name]>> &
  OptionalPart<'query', QueryOf<Operations[Name]>> &
  OptionalPart<'headers', HeadersOf<Operations[Name]>> &
  Part<'body', JsonBody<Operations[Name]>> & { signal?: AbortSignal | undefined };

export type Answer<Name extends OperationName> = ResponseOf<Operations[Name]>;

/** An answer with the headers that some callers need (`etag`). */
export interface Exchange<Name extends OperationName> {
  response: Answer<Name>;
  headers: Headers;
}

interface LooseInput {
  params?: Record<string, string> | undefined;
  query?: Record<string, unknown> | undefined;
  headers?: Record<string, string | undefined> | undefined;
  body?: unknown;
  signal?: AbortSignal | undefined;
}

export interface ClientDeps {
  operations: Record<OperationName, Route>;
  fetch: typeof fetch;
  /** Bearer token of an embedded page; null where the cookie session serves. */
  token: () => string | null;
  /** Called once per 401; answers whether the call may be repeated (a new token arrived). */
  onUnauthorized: () => Promise<boolean>;
}

export interface Client {
  call: <Name extends OperationName>(name: Name, ...input: Inputs<Name>) => Promise<Answer<Name>>;
  exchange: <Name extends OperationName>(name: Name, ...input: Inputs<Name>) => Promise<Exchange<Name>>;
  /** The open answer of a streaming operation. */
  open: <Name extends OperationName>(name: Name, ...input: Inputs<Name>) => Promise<Response>;
}

type Inputs<Name extends OperationName> =
  Record<string, never> extends CallInput<Name> ? [input?: CallInput<Name>] : [input: CallInput<Name>];

/** Path with its parameters filled in, and the query; undefined, null and empty values are left out. */
export function addressOf(route: Pick<Route, 'path'>, input: LooseInput): string {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = input.params?.[name];
    if (value === undefined) throw new Error(`parameter ${name} of ${route.path} is missing`);
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value));
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

/** The typed client: one function for every operation of `domain/api`. Throws ApiProblem, or AbortError when aborted. */
export function createClient(deps: ClientDeps): Client {
  async function send(route: Route, input: LooseInput): Promise<Response> {
    const init = requestOf(route, input, deps.token());
    try {
      return await deps.fetch(addressOf(route, input), init);
    } catch (error) {
      if (input.signal?.aborted) throw error;
      throw unreachable(error);
    }
  }

  async function answered(name: OperationName, input: LooseInput): Promise<Response> {
    const route = deps.operations[name];
    let response = await send(route, input);
    if (response.status === 401 && (await deps.onUnauthorized())) response = await send(route, input);
    if (!response.ok) throw await problemOf(response);
    return response;
  }

  const exchange: Client['exchange'] = async <Name extends OperationName>(name: Name, ...[input]: Inputs<Name>) => {
    const response = await answered(name, (input ?? {}) as LooseInput);
    const result = response.status === 204 ? undefined : await response.json();
    return { response: result as Answer<Name>, headers: response.headers };
  };

  return {
    exchange,
    call: async (name, ...input) => (await exchange(name, ...input)).response,
    open: (name, ...[input]) => answered(name, (input ?? {}) as LooseInput),
  };
}
