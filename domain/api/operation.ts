import type { z } from 'zod';
import type { ProblemCode } from './problem.ts';

/**
 * Who may call: a `member` has any role, be it for orders alone; `viewer` upwards reads, `marketing_operator` and `tenant_admin` write, settings are the administrator's;
 * `service` is for calls between our own services.
 */
export type Access = 'public' | 'member' | 'read' | 'write' | 'admin' | 'service';

type Shape = z.ZodObject<z.ZodRawShape>;

/**
 * One HTTP operation, described once: the backend serves it, the BFF forwards it, the console calls it and OpenAPI
 * documents it. `path` is relative to the API's prefix and in OpenAPI's form, e.g. `/campaigns/{id}:send`.
 */
export interface Operation<
  Params extends Shape = Shape,
  Query extends Shape = Shape,
  Headers extends Shape = Shape,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  path: `/${string}`;
  tag: string;
  summary: string;
  /** What a caller should know beyond that, in Markdown. */
  description?: string;
  access: Access;
  params?: Params;
  query?: Query;
  /** Header names in lower case. */
  headers?: Headers;
  body?: Body;
  /** Media type of a body that is not JSON; the operation reads it as a stream. */
  bodyType?: 'text/csv';
  /** Largest body in bytes; 1 MiB where absent. */
  maxBodyBytes?: number;
  status: 200 | 201 | 202 | 204 | 302;
  /** Absent for 204 and 302. */
  response?: Answer;
  /** Media type of an answer that is not JSON. */
  responseType?: 'text/event-stream' | 'text/csv';
  /** Codes beside `unauthorized`, `forbidden` and `invalid_request`, which any operation may answer. */
  problems?: readonly ProblemCode[];
}

/** Keeps the literal types of one operation. */
export function operation<
  Params extends Shape = z.ZodObject<{}>,
  Query extends Shape = z.ZodObject<{}>,
  Headers extends Shape = z.ZodObject<{}>,
  Body extends z.ZodType = z.ZodUndefined,
  Answer extends z.ZodType = z.ZodUndefined,
>(definition: Operation<Params, Query, Headers, Body, Answer>): Operation<Params, Query, Headers, Body, Answer> {
  return definition;
}

/** Any operation, for code that treats all alike (routers, OpenAPI, the forwarder). */
export type AnyOperation = Operation<Shape, Shape, Shape, z.ZodType, z.ZodType>;

export type ParamsOf<O> = O extends Operation<infer P, Shape, Shape, z.ZodType, z.ZodType> ? z.output<P> : never;
export type QueryOf<O> = O extends Operation<Shape, infer Q, Shape, z.ZodType, z.ZodType> ? z.output<Q> : never;
export type HeadersOf<O> = O extends Operation<Shape, Shape, infer H, z.ZodType, z.ZodType> ? z.output<H> : never;
export type BodyOf<O> = O extends Operation<Shape, Shape, Shape, infer B, z.ZodType> ? z.output<B> : never;
export type ResponseOf<O> = O extends Operation<Shape, Shape, Shape, z.ZodType, infer A> ? z.output<A> : never;

/** What a caller passes: before defaults and transformations. */
export type BodyInputOf<O> = O extends Operation<Shape, Shape, Shape, infer B, z.ZodType> ? z.input<B> : never;
