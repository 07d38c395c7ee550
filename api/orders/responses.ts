import type { Context, Middleware } from 'koa';
import { Problem } from '../../domain/api/problem.ts';
import { orderCodes, OrderError } from '../../domain/orders/codes.ts';
import type { Logger } from '../runtime/logger.ts';

const requestIdOf = (ctx: Context) => String(ctx.state['requestId']);

/** Answers `{code: 1000, message, data, requestId}`. */
export function response(ctx: Context, data: unknown): void {
  ctx.status = 200;
  ctx.body = { code: 1000, message: orderCodes[1000].message, data, requestId: requestIdOf(ctx) };
}

/** What the shared parts refuse (a body that is too large or no JSON) is 90001 here. */
function asRefusal(error: unknown): OrderError | null {
  if (error instanceof OrderError) return error;
  if (!(error instanceof Problem)) return null;
  if (error.code !== 'too_large' && error.code !== 'invalid_request') return null;
  return new OrderError(90001, { message: error.message, status: error.status, errors: error.errors ?? [] });
}

/** Answers every error as `{code, message, data, requestId}`; a defect is logged and answered as 90999 without detail. */
export function orderResponses(logger: Logger): Middleware {
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 404 && ctx.body === undefined)
        throw new OrderError(90200, { message: `There is no ${ctx.method} ${ctx.path}` });
    } catch (error) {
      const refusal = asRefusal(error) ?? new OrderError(90999, { cause: error });
      if (refusal.code === 90999) {
        logger.error({ err: error, requestId: requestIdOf(ctx), path: ctx.path }, 'defect');
      }
      ctx.status = refusal.status;
      ctx.body = {
        code: refusal.code,
        message: refusal.message,
        data: refusal.data,
        requestId: requestIdOf(ctx),
        ...(refusal.code === 90001 ? { errors: refusal.errors ?? [] } : {}),
      };
    }
  };
}
