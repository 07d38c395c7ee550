import type { Context, Middleware } from 'koa';
import { Problem, type ProblemCode } from '#domain/api/problem.ts';
import { orderCodes, OrderError } from '#domain/orders/codes.ts';
import type { Envelope } from '#domain/orders/responses.ts';
import { unavailableProblem } from '../http/problem-responses.ts';
import { currentRequest } from '../http/request-id.ts';
import type { Logger } from '../runtime/logger.ts';

const requestIdOf = (ctx: Context) => String(ctx.state['requestId']);

/** Puts a response into the envelope `{code: 1000, message, data, requestId}`. */
export function enveloped(ctx: Context, data: unknown): Envelope {
  return { code: 1000, message: orderCodes[1000].message, data, requestId: requestIdOf(ctx) };
}

const asInvalid: ReadonlySet<ProblemCode> = new Set([
  'too_large',
  'too_slow',
  'invalid_request',
  'unsupported_media_type',
]);

/** Problems of the shared parts (a body that is too large, too slow, of another type or not JSON) become 90001; without room for it, 90999. */
function asOrderError(error: unknown): OrderError | null {
  if (error instanceof OrderError) return error;
  if (!(error instanceof Problem)) return null;
  if (error.code === 'rate_limited') return new OrderError(90029, { message: error.message });
  if (error.code === 'unavailable') return new OrderError(90999, { message: error.message, status: error.status });
  if (!asInvalid.has(error.code)) return null;
  return new OrderError(90001, { message: error.message, status: error.status, errors: error.errors ?? [] });
}

/**
 * Responds to every error with `{code, message, data, requestId}`. A defect is logged and becomes 90999 without
 * detail; what is unavailable, 90999 with status 503.
 */
export function orderResponses(logger: Logger): Middleware {
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 404 && ctx.body === undefined)
        throw new OrderError(90200, { message: `There is no ${ctx.method} ${ctx.path}` });
    } catch (thrown) {
      const error = unavailableProblem(thrown, logger, currentRequest()) ?? thrown;
      const orderError = asOrderError(error) ?? new OrderError(90999, { cause: error });
      if (orderError.status === 500) {
        logger.error({ err: error, path: ctx.path }, 'defect');
      }
      if (error instanceof Problem && error.retryAfterSeconds !== undefined)
        ctx.set('Retry-After', String(error.retryAfterSeconds));
      if (error instanceof Problem && error.acceptEncoding !== undefined)
        ctx.set('Accept-Encoding', error.acceptEncoding);
      ctx.status = orderError.status;
      ctx.body = {
        code: orderError.code,
        message: orderError.message,
        data: orderError.data,
        requestId: requestIdOf(ctx),
        ...(orderError.code === 90001 || orderError.errors ? { errors: orderError.errors ?? [] } : {}),
      } satisfies Envelope;
    }
  };
}
