import type { Middleware } from 'koa';
import { isBusy, isDatabaseUnavailable } from '#db/errors.ts';
import { Problem, problems, type ProblemBody, type ProblemCode } from '#domain/api/problem.ts';
import type { Logger } from '../runtime/logger.ts';
import { currentRequest, loggedFrom, type RequestIds, shownId } from './request-id.ts';

/** What an error is answered with. */
export interface ProblemResponse {
  status: number;
  headers: Record<string, string>;
  /** JSON. */
  body: string;
}

const PROBLEM_TYPE = 'application/problem+json';

interface Answer extends Pick<ProblemBody, 'errors' | 'counts'> {
  code: ProblemCode;
  detail: string;
  retryAfterSeconds?: number | undefined;
  acceptEncoding?: string | undefined;
}

function responseOf(
  { code, detail, retryAfterSeconds, acceptEncoding, ...more }: Answer,
  ids: RequestIds | undefined,
): ProblemResponse {
  const { status, title } = problems[code];
  const type = `https://outreach.example/problems/${code.replaceAll('_', '-')}`;
  const body: ProblemBody = { type, title, status, code, detail, requestId: String(ids && shownId(ids)), ...more };
  const headers: Record<string, string> = { 'Content-Type': PROBLEM_TYPE };
  if (retryAfterSeconds !== undefined) headers['Retry-After'] = String(retryAfterSeconds);
  if (acceptEncoding !== undefined) headers['Accept-Encoding'] = acceptEncoding;
  return { status, headers, body: JSON.stringify(body) };
}

const brokenConnection = new Set(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE']);

/**
 * Whether a dependency is unavailable, or what was needed of one has failed for that, so that the call is worth repeating; anything
 * else that is no `Problem` is a defect.
 */
function isUnavailable(error: unknown): boolean {
  if (error === null || error === undefined) return false;
  const { code, name, cause } = error as Record<'code' | 'name' | 'cause', unknown>;
  if (isDatabaseUnavailable(error) || isBusy(error) || brokenConnection.has(String(code))) return true;
  return name === 'ServiceError' || isUnavailable(cause);
}

/**
 * The problem that the caller is told of if a dependency is unavailable; null for any other error. What is behind it is logged
 * here, since a response does not say it.
 */
export function unavailableProblem(error: unknown, logger: Logger, ids: RequestIds | undefined): Problem | null {
  const isProblem = error instanceof Problem;
  if (isProblem ? error.code !== 'unavailable' : !isUnavailable(error)) return null;
  const err = isProblem ? error.cause : error;
  if (err !== undefined) logger.warn({ err, ...loggedFrom(ids) }, 'a dependency is unavailable');
  if (isProblem) return error;
  const detail = 'A part of the service cannot be reached at the moment; try again';
  return new Problem('unavailable', detail, { retryAfterSeconds: 1 });
}

function ofProblem(problem: Problem): Answer {
  const { code, message: detail, errors, counts, retryAfterSeconds, acceptEncoding } = problem;
  return { code, detail, errors, counts, retryAfterSeconds, acceptEncoding };
}

/** What a problem is answered with. */
export const problemResponse = (problem: Problem, ids: RequestIds): ProblemResponse =>
  responseOf(ofProblem(problem), ids);

function answerTo(error: unknown, logger: Logger, path: string, ids: RequestIds | undefined): Answer {
  const problem = unavailableProblem(error, logger, ids) ?? (error instanceof Problem ? error : null);
  if (problem) return ofProblem(problem);
  logger.error({ err: error, ...loggedFrom(ids), path }, 'defect');
  return { code: 'internal', detail: 'Something went wrong on our side; the request id finds it in the logs' };
}

/**
 * The problem+json of an error. Those not caused by the caller are logged with their request id, and the response has
 * no detail.
 */
export const problemOf = (error: unknown, logger: Logger, path: string, ids: RequestIds | undefined): ProblemResponse =>
  responseOf(answerTo(error, logger, path, ids), ids);

/** Responds to every error with problem+json. */
export function problemResponses(logger: Logger): Middleware {
  return async (ctx, next) => {
    function respond({ status, headers, body }: ProblemResponse): void {
      ctx.status = status;
      ctx.set(headers);
      ctx.body = body;
    }
    try {
      await next();
      if (ctx.status === 404 && ctx.body === undefined)
        respond(responseOf({ code: 'not_found', detail: `There is no ${ctx.method} ${ctx.path}` }, currentRequest()));
    } catch (error) {
      respond(problemOf(error, logger, ctx.path, currentRequest()));
    }
  };
}
