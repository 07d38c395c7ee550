import { BackendError } from '#clients/backend/client.ts';
import { Problem, problems, type ProblemCode } from '#domain/api/problem.ts';

const isProblemCode = (code: string | undefined): code is ProblemCode => code !== undefined && code in problems;

/**
 * The error a caller sees for a failed call to the backend: the backend's own rejection, or `unavailable`. Other
 * errors are returned unchanged.
 */
export function backendProblem(error: unknown): unknown {
  if (!(error instanceof BackendError)) return error;
  const passedOn = error.kind === 'rejected' && isProblemCode(error.code) && error.code !== 'unauthorized';
  if (passedOn && isProblemCode(error.code)) return new Problem(error.code, error.message, { cause: error });
  return new Problem('unavailable', 'The backend cannot be reached at the moment; try again', {
    retryAfterSeconds: 1,
    cause: error,
  });
}
