import type { Context, Middleware } from 'koa';
import { isBusy, isDatabaseUnavailable } from '../../db/errors.ts';
import { Problem, problems, type ProblemBody, type ProblemCode } from '../../domain/api/problem.ts';
import type { Logger } from '../runtime/logger.ts';
import { loggedIds } from './request-id.ts';

function response(
  ctx: Context,
  code: ProblemCode,
  detail: string,
  more: Pick<ProblemBody, 'errors' | 'counts'> = {},
): void {
  const { status, title } = problems[code];
  const body: ProblemBody = {
    type: `https://outreach.example/problems/${code.replaceAll('_', '-')}`,
    title,
    status,
    code,
    detail,
    requestId: String(ctx.state['requestId']),
    ...more,
  };
  ctx.status = status;
  ctx.type = 'application/problem+json';
  ctx.body = JSON.stringify(body);
}

const brokenConnection = new Set(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE']);

/** Errors caused by an unavailable dependency are worth retrying; anything else is a defect. */
function isUnavailable(error: unknown): boolean {
  const { code, name } = (error ?? {}) as Record<'code' | 'name', unknown>;
  return isDatabaseUnavailable(error) || isBusy(error) || brokenConnection.has(String(code)) || name === 'ServiceError';
}

/**
 * Responds to every error with problem+json. Errors not caused by the caller are logged with their request id, and
 * the response has no detail.
 */
export function problemResponses(logger: Logger): Middleware {
  return async (ctx, next) => {
    try {
      await next();
      if (ctx.status === 404 && ctx.body === undefined)
        response(ctx, 'not_found', `There is no ${ctx.method} ${ctx.path}`);
    } catch (error) {
      if (error instanceof Problem) {
        if (error.retryAfterSeconds !== undefined) ctx.set('Retry-After', String(error.retryAfterSeconds));
        const { code, message, errors, counts } = error;
        response(ctx, code, message, { errors, counts });
      } else if (isUnavailable(error)) {
        logger.warn({ err: error, ...loggedIds() }, 'a dependency is unavailable');
        ctx.set('Retry-After', '1');
        response(ctx, 'unavailable', 'A part of the service cannot be reached at the moment; try again');
      } else {
        logger.error({ err: error, ...loggedIds(), path: ctx.path }, 'defect');
        response(ctx, 'internal', 'Something went wrong on our side; the request id finds it in the logs');
      }
    }
  };
}
