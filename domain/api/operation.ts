import type { z } from 'zod';
import type { OrderScope } from '../keys/scopes.ts';
import type { ProblemCode } from './problem.ts';

/**
 * Who may call an operation of the outreach APIs. A `member` has any role, even one for orders only; `viewer` and above
 * read, `marketing_operator` and `tenant_admin` write, and settings belong to the administrator. `service` is for calls
 * between our own services.
 */
export type Access = 'public' | 'member' | 'read' | 'write' | 'admin' | 'service';

type Shape = z.ZodObject<z.ZodRawShape>;

/**
 * One HTTP operation, described once: its service serves it, the BFF forwards it, the console calls it and OpenAPI
 * documents it. `path` is relative to the API's prefix and in OpenAPI's form, e.g. `/campaigns/{id}:send`. `Caller` names
 * who may call, and `ErrorCode` how the API identifies its errors.
 */
export interface Operation<
  Params extends Shape = Shape,
  Query extends Shape = Shape,
  Headers extends Shape = Shape,
  Body extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
  Caller extends string = Access,
  ErrorCode extends string | number = ProblemCode,
> {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  path: `/${string}`;
  tag: string;
  summary: string;
  /** What a caller should know beyond that, in Markdown. */
  description?: string;
  access: Caller;
  /** Not for API keys, whatever their scopes. */
  onlyPeople?: true;
  /** What it changes, where that is in another area than its tag: an API key needs that area's scope. */
  changes?: 'audiences' | 'tags';
  /** Also read by pages that nobody looks at: it is no use of a session, which ends when it is idle. */
  unattended?: true;
  /** At the order service: the scopes of which an API key needs one, the narrowest first; it is for people where absent. */
  scopes?: readonly OrderScope[];
  params?: Params;
  query?: Query;
  /** Header names in lower case. */
  headers?: Headers;
  body?: Body;
  /** A body that a description shows, and that works as it is with the sandbox and its demonstration data. */
  example?: z.input<Body>;
  /** Of a PATCH: fields that the object is shown with and that never change, which is said where they are sent otherwise. */
  readOnly?: readonly string[];
  /** Of a PATCH: fields that null clears, where the response shows them in another place than the body. */
  clears?: readonly string[];
  /** Of a PATCH: fields that exclude each other; one that is sent as it is counts where another is sent, too. */
  excluding?: readonly string[];
  /** Media type of a body that is not JSON; the operation reads it as a stream. */
  bodyType?: 'text/csv' | 'image/*' | 'application/x-www-form-urlencoded';
  /** Largest body in bytes; 1 MiB where absent. */
  maxBodyBytes?: number;
  status: 200 | 201 | 202 | 204 | 302;
  /** Absent for 204 and 302. An API may put an envelope around it. */
  response?: Response;
  /** Media type of a response that its handler streams. */
  responseType?: 'text/event-stream' | 'text/csv' | 'application/json';
  /** Codes besides those that any operation of the API may fail with. */
  errors?: readonly ErrorCode[];
}

/** Gives the function that describes the operations of one kind of API and keeps their literal types. */
export function describeOperations<Caller extends string, ErrorCode extends string | number>() {
  return function operation<
    Params extends Shape = z.ZodObject<{}>,
    Query extends Shape = z.ZodObject<{}>,
    Headers extends Shape = z.ZodObject<{}>,
    Body extends z.ZodType = z.ZodUndefined,
    Response extends z.ZodType = z.ZodUndefined,
  >(
    definition: Operation<Params, Query, Headers, Body, Response, Caller, ErrorCode>,
  ): Operation<Params, Query, Headers, Body, Response, Caller, ErrorCode> {
    return definition;
  };
}

/** Describes an operation of the outreach APIs, whose errors are problem documents. */
export const operation = describeOperations<Access, ProblemCode>();

/** Any operation of one kind of API, for code that treats all alike (routers, OpenAPI, the forwarder). */
export type AnyOperation<Caller extends string = Access, ErrorCode extends string | number = ProblemCode> = Operation<
  Shape,
  Shape,
  Shape,
  z.ZodType,
  z.ZodType,
  Caller,
  ErrorCode
>;

/** An operation of any API. */
export type AnyApiOperation = AnyOperation<string, string | number>;

type Code = string | number;
type Json = z.ZodType;

export type ParamsOf<O> = O extends Operation<infer P, Shape, Shape, Json, Json, string, Code> ? z.output<P> : never;
export type QueryOf<O> = O extends Operation<Shape, infer Q, Shape, Json, Json, string, Code> ? z.output<Q> : never;
export type HeadersOf<O> = O extends Operation<Shape, Shape, infer H, Json, Json, string, Code> ? z.output<H> : never;
export type BodyOf<O> = O extends Operation<Shape, Shape, Shape, infer B, Json, string, Code> ? z.output<B> : never;
export type ResponseOf<O> = O extends Operation<Shape, Shape, Shape, Json, infer R, string, Code> ? z.output<R> : never;

/** What a caller passes: before defaults and transformations. */
export type BodyInputOf<O> = O extends Operation<Shape, Shape, Shape, infer B, Json, string, Code> ? z.input<B> : never;
