import type { IncomingHttpHeaders } from 'node:http';
import type { ZodObject, ZodType } from 'zod';

/**
 * The sandbox has its own code for reading, validating and responding to requests: if it shared that code with
 * the services it stands in for, a bug in it would exist on both sides and go unnoticed. Only path routing and
 * the OpenAPI document come from `api/http`.
 */

/** A request as seen by handlers: already read, independent of the web framework. */
export interface Call {
  method: string;
  path: string;
  params: Record<string, string>;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** What the call log records besides the response. */
  note: CallNote;
}

export interface CallNote {
  tenantIntegrationId?: string;
  signature?: 'ok' | 'refused';
}

/**
 * What a JSON route accepts and returns: its requests are validated with it, and the OpenAPI document is
 * generated from it.
 */
export interface Description<Body = unknown, Query = unknown> {
  summary: string;
  body?: ZodType<Body>;
  query?: ZodObject & ZodType<Query>;
  /** Header names in lower case. */
  headers?: ZodObject;
  /**
   * Requires the signature of a tenant integration, or the key of the payment gateway; if absent, open to
   * everyone.
   */
  access?: 'signature' | 'key';
  /** The body of a 2xx response; any object if absent. */
  response?: ZodType;
}

/** A request to a route whose description types the results of `readJson` and `readQuery`. */
export interface DescribedCall<Body = unknown, Query = unknown> extends Call {
  description: Description<Body, Query>;
}

export interface ApiResponse {
  status: number;
  /** Sent as JSON, or as is if it is a string or bytes. */
  body?: unknown;
  headers?: Record<string, string>;
}

export type Handler<Received extends Call = Call> = (call: Received) => ApiResponse | Promise<ApiResponse>;

export interface Route {
  /** The route's name for faults and the call log, such as `A1`. */
  code: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** In OpenAPI's form, for example `/tasks/{taskId}:cancel`. */
  path: `/${string}`;
  /** Null for what browsers show or follow: pages, pictures, redirects. */
  description: Description | null;
  handle: Handler;
}

/** An error response, thrown from any depth of a handler. */
export class SandboxError extends Error {
  override name = 'Refusal';
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    code: string,
    message: string,
    more: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ) {
    super(message);
    this.status = status;
    this.body = { code, message, ...more };
    this.headers = headers;
  }
}

export const ok = (body: unknown): ApiResponse => ({ status: 200, body });
export const created = (body: unknown): ApiResponse => ({ status: 201, body });

/** The last value of a header, or undefined. */
export function header(call: Call, name: string): string | undefined {
  const value = call.headers[name.toLowerCase()];
  return Array.isArray(value) ? value.at(-1) : value;
}

function checked<Shape>(schema: ZodType<Shape> | undefined, value: unknown, part: string): Shape {
  if (!schema) throw new Error(`the route does not describe its ${part}`);
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const where = issue ? `/${issue.path.join('/')}: ${issue.message}` : `the ${part} is invalid`;
  throw new SandboxError(400, 'invalid_request', where);
}

/**
 * The JSON body, validated with the route's schema; an empty body counts as `{}`.
 * @throws Refusal 400 `invalid_request` naming the first invalid field
 */
export function readJson<Body>(call: DescribedCall<Body>): Body {
  let parsed: unknown;
  try {
    parsed = call.body.length === 0 ? {} : JSON.parse(call.body.toString('utf8'));
  } catch {
    throw new SandboxError(400, 'invalid_request', 'the body is not JSON');
  }
  return checked(call.description.body, parsed, 'body');
}

/**
 * The query, validated with the route's schema; of a name given twice the last value counts.
 * @throws Refusal 400 `invalid_request` naming the first invalid parameter
 */
export function readQuery<Query>(call: DescribedCall<unknown, Query>): Query {
  return checked(call.description.query, Object.fromEntries(call.query), 'query');
}

/** A path parameter; the router guarantees that it exists. */
export function param(call: Call, name: string): string {
  return call.params[name] ?? '';
}

type Endpoint = Pick<Route, 'code' | 'method' | 'path'>;

/**
 * A JSON route of a system that the sandbox stands in for: logged as a call of the application, and subject to
 * faults.
 */
export function route<Body = never, Query = never>(
  endpoint: Endpoint,
  description: Description<Body, Query>,
  handle: Handler<DescribedCall<Body, Query>>,
): Route {
  return { ...endpoint, description, handle: (call) => handle({ ...call, description }) };
}

const CONTROL = 'control';

/**
 * A JSON route of the sandbox itself: not a call of the application, so neither logged as one nor subject to
 * faults.
 */
export function control<Body = never, Query = never>(
  method: Route['method'],
  path: Route['path'],
  description: Description<Body, Query>,
  handle: Handler<DescribedCall<Body, Query>>,
): Route {
  return route({ code: CONTROL, method, path }, description, handle);
}

/** A page of the sandbox itself, or one of its assets. */
export const page = (path: Route['path'], handle: Handler): Route => ({
  code: CONTROL,
  method: 'GET',
  path,
  description: null,
  handle,
});

export const isControl = ({ code }: Route): boolean => code === CONTROL;
