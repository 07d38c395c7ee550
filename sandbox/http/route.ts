import type { IncomingHttpHeaders } from 'node:http';
import type { ZodType } from 'zod';

/** A request as handlers see it: already read, nothing of the web framework. */
export interface Call {
  method: string;
  path: string;
  params: Record<string, string>;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** What the log of calls shall say beside the answer. */
  note: CallNote;
}

export interface CallNote {
  tenantIntegrationId?: string;
  signature?: 'ok' | 'refused';
}

export interface Answer {
  status: number;
  /** Sent as JSON, or as it is where it is a string. */
  body?: unknown;
  headers?: Record<string, string>;
}

export type Handler = (call: Call) => Answer | Promise<Answer>;

export interface Route {
  /** The name by which faults and the log of calls know the route, such as `A1`. */
  code: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  handle: Handler;
}

/** An answer that is a refusal, thrown from any depth of a handler. */
export class Refusal extends Error {
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

export const ok = (body: unknown): Answer => ({ status: 200, body });
export const created = (body: unknown): Answer => ({ status: 201, body });

/** The last value of a header, or undefined. */
export function header(call: Call, name: string): string | undefined {
  const value = call.headers[name.toLowerCase()];
  return Array.isArray(value) ? value.at(-1) : value;
}

/**
 * The JSON body, checked by a schema; an empty body counts as `{}`.
 * @throws Refusal 400 `invalid_request` naming the first wrong field
 */
export function readJson<Shape>(call: Call, schema: ZodType<Shape>): Shape {
  let parsed: unknown;
  try {
    parsed = call.body.length === 0 ? {} : JSON.parse(call.body.toString('utf8'));
  } catch {
    throw new Refusal(400, 'invalid_request', 'the body is not JSON');
  }
  const result = schema.safeParse(parsed);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const where = issue ? `/${issue.path.join('/')}: ${issue.message}` : 'the body is not valid';
  throw new Refusal(400, 'invalid_request', where);
}

/**
 * A required query parameter.
 * @throws Refusal 400
 */
export function readQuery(call: Call, name: string): string {
  const value = call.query.get(name);
  if (!value) throw new Refusal(400, 'invalid_request', `the query parameter ${name} is missing`);
  return value;
}

/** A path parameter; the router guarantees that it is there. */
export function param(call: Call, name: string): string {
  return call.params[name] ?? '';
}

const CONTROL = 'control';

/** A route of the sandbox itself: no call of the application, so neither logged as one nor struck by faults. */
export const control = (method: Route['method'], path: string, handle: Handler): Route => ({
  code: CONTROL,
  method,
  path,
  handle,
});

export const isControl = (route: Route): boolean => route.code === CONTROL;
