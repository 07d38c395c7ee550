import type { Router } from '@koa/router';
import type { Context } from 'koa';
import { z } from 'zod';
import { fieldErrors } from '../../domain/api/problem.ts';
import { OrderError } from '../../domain/orders/codes.ts';
import type { OrderOperation } from '../../domain/orders/operations.ts';
import { parseJson, readBody } from '../http/body.ts';
import type { VerifyPlatformToken } from '../http/platform-token.ts';
import { routerPath } from '../http/serve.ts';
import { response } from './responses.ts';
import { authenticate, requireStaff, type Payer } from './session.ts';

/** What a handler is given: everything parsed. */
export interface OrderCall<Params, Query, Body> {
  payer: Payer;
  params: Params;
  query: Query;
  body: Body;
}

/** @throws OrderRefusal 90001 with the refused fields. */
export function parseOr90001<Schema extends z.ZodType>(schema: Schema, value: unknown, place = ''): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new OrderError(90001, { errors: fieldErrors(result.error, place) });
}

/** @throws OrderRefusal 90001: 413 above 1 MiB, 415 for another content type, 400 for broken JSON. */
export async function readOrderBody(ctx: Context): Promise<{ raw: Buffer; parse: () => unknown }> {
  const raw = await readBody(ctx);
  return {
    raw,
    parse: () => {
      if (raw.length > 0 && !ctx.is('json', '+json'))
        throw new OrderError(90001, { status: 415, message: 'The body must be application/json' });
      return parseJson(raw);
    },
  };
}

/** An id that no order can have names none. */
function parseParams(operation: OrderOperation, ctx: Context): unknown {
  const result = operation.params.safeParse(ctx['params']);
  if (result.success) return result.data;
  throw new OrderError(operation.method === 'put' ? 90001 : 90200, { errors: fieldErrors(result.error, 'path') });
}

/** Gives a function that serves operations on `router`; refusals come in the order 90002, 90003 (role), 90001, the handler's. */
export function createServe(options: { router: Router; verifyToken: VerifyPlatformToken; checkResponses: boolean }) {
  return function serve<
    Params extends z.ZodType,
    Query extends z.ZodType,
    Body extends z.ZodType,
    Answer extends z.ZodType,
  >(
    operation: OrderOperation<Params, Query, Body, Answer>,
    handle: (call: OrderCall<z.output<Params>, z.output<Query>, z.output<Body>>) => Promise<z.output<Answer>>,
  ): void {
    options.router[operation.method](routerPath(operation.path), async (ctx: Context) => {
      const payer = await authenticate(ctx, options.verifyToken);
      if (operation.access === 'staff') requireStaff(payer);
      const body = operation.method === 'get' ? undefined : (await readOrderBody(ctx)).parse();
      const data = await handle({
        payer,
        query: parseOr90001(operation.query, ctx.query, 'query'),
        body: parseOr90001(operation.body, body),
        params: parseParams(operation, ctx) as z.output<Params>,
      });
      response(ctx, options.checkResponses ? operation.response.parse(data) : data);
    });
  };
}
