import type { FieldError, ProblemBody, ProblemCode } from '#domain/api/problem.ts';

/** The codes of the API, and `network` if there was no response. */
export type ApiProblemCode = ProblemCode | 'network';

/** An error of the API, or a missing response (status 0). */
export class ApiProblem extends Error {
  override name = 'ApiProblem';
  readonly code: ApiProblemCode;
  readonly status: number;
  /** The server's message, in English. */
  readonly detail: string;
  /** The message in the reader's language, if the code alone does not say enough. */
  readonly words: string | undefined;
  /** For the user to copy into an error report; null if no server was reached. */
  readonly requestId: string | null;
  readonly errors: FieldError[];
  /** Figures of the error, by name. */
  readonly counts: Record<string, number>;
  /** Nothing is known of what became of the request: it may have been carried out. */
  readonly isUnanswered: boolean;

  constructor(from: {
    code: ApiProblemCode;
    status: number;
    detail: string;
    words?: string | undefined;
    requestId: string | null;
    errors?: FieldError[] | undefined;
    counts?: Record<string, number> | undefined;
    isUnanswered?: boolean;
    cause?: unknown;
  }) {
    super(from.detail, { cause: from.cause });
    this.code = from.code;
    this.status = from.status;
    this.detail = from.detail;
    this.words = from.words;
    this.requestId = from.requestId;
    this.errors = from.errors ?? [];
    this.counts = from.counts ?? {};
    this.isUnanswered = from.isUnanswered ?? false;
  }
}

function isProblemBody(value: unknown): value is ProblemBody {
  return typeof value === 'object' && value !== null && 'code' in value && 'status' in value;
}

const codeOfStatus: Record<number, ApiProblemCode> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  408: 'too_slow',
  413: 'too_large',
  429: 'rate_limited',
};

/** Statuses of a proxy, or of our own, that got no answer. */
const noAnswer = new Set([502, 504]);

/** Reads an error response, including one from a proxy that is not a problem document. */
export async function problemOf(response: Response): Promise<ApiProblem> {
  const requestId = response.headers.get('x-request-id');
  const body: unknown = await response.json().catch(() => null);
  if (isProblemBody(body)) {
    return new ApiProblem({
      code: body.code,
      status: response.status,
      detail: body.detail || body.title,
      requestId: body.requestId || requestId,
      errors: body.errors,
      counts: body.counts,
      isUnanswered: noAnswer.has(response.status),
    });
  }
  const code = codeOfStatus[response.status] ?? (response.status >= 500 ? 'unavailable' : 'invalid_request');
  const isUnanswered = noAnswer.has(response.status) || response.status === 503;
  return new ApiProblem({ code, status: response.status, detail: response.statusText, requestId, isUnanswered });
}

/** No response: connection refused, reset, or offline. @param sent false where the request never left */
export function unreachable(cause: unknown, sent: boolean): ApiProblem {
  return new ApiProblem({ code: 'network', status: 0, detail: '', requestId: null, isUnanswered: sent, cause });
}

/** Reads a plain response, nothing for 204; throws ApiProblem if it is an error. */
export async function readPlain(response: Response): Promise<unknown> {
  if (!response.ok) throw await problemOf(response);
  return response.status === 204 ? undefined : response.json();
}
