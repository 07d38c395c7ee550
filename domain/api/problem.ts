import { z } from 'zod';
import { type FieldErrorCode, fieldErrorMessage, type FieldErrorParams } from './field-errors.ts';
import { schemaErrorOf } from './schema-errors.ts';

/** Every error code of bff and backend, with its HTTP status and title (RFC 9457). */
export const problems = {
  invalid_request: { status: 400, title: 'The request does not match its schema' },
  unauthorized: { status: 401, title: 'No valid session or signature' },
  forbidden: { status: 403, title: 'Not allowed' },
  test_contacts_only: { status: 403, title: 'Only to test contacts' },
  own_request: { status: 403, title: 'Not for the person who asked' },
  not_found: { status: 404, title: 'Not found' },
  phase_2: { status: 404, title: 'Not part of this phase' },
  too_slow: { status: 408, title: 'The body arrived too slowly' },
  conflict: { status: 409, title: 'Conflicts with the current state' },
  invalid_state: { status: 409, title: 'Not possible in this state' },
  in_use: { status: 409, title: 'Still in use' },
  approval_required: { status: 409, title: 'Another operator has to approve it' },
  nonce_replayed: { status: 409, title: 'The nonce was already used' },
  audience_changed: { status: 409, title: 'The audience changed' },
  audience_empty: { status: 409, title: 'The audience reaches nobody' },
  gone: { status: 410, title: 'The integration is uninstalled' },
  stale: { status: 412, title: 'Changed by someone else in the meantime' },
  too_large: { status: 413, title: 'Too large' },
  unsupported_media_type: { status: 415, title: 'Another type or coding of body is needed' },
  invalid_content: { status: 422, title: 'Rejected by a rule' },
  idempotency_key_reused: { status: 422, title: 'The Idempotency-Key was used for another call' },
  if_match_required: { status: 428, title: 'If-Match is required' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Internal error' },
  unavailable: { status: 503, title: 'Currently unavailable' },
} as const;

export type ProblemCode = keyof typeof problems;

/**
 * An invalid place: a JSON pointer into the body, or `query/…`, `header/…`, and what is wrong there. A `code`,
 * with its limits and ids in `params`, says the same as the message, for clients that translate it.
 */
export const fieldErrorSchema = z.object({
  path: z.string(),
  message: z.string(),
  code: z.string().optional(),
  params: z.record(z.string(), z.union([z.number(), z.string()])).optional(),
});
export type FieldError = z.infer<typeof fieldErrorSchema>;

export const problemCodeSchema = z.enum(Object.keys(problems) as [ProblemCode, ...ProblemCode[]]);

export const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: problemCodeSchema,
    detail: z.string(),
    requestId: z.string(),
    errors: z.array(fieldErrorSchema).optional(),
    /** Figures that belong to the error, beyond the errors that are listed. */
    counts: z.record(z.string(), z.int()).optional(),
  })
  .meta({ id: 'Problem' });
export type ProblemBody = z.infer<typeof problemSchema>;

/** An error that the caller caused or can wait out. Thrown anywhere below a route, returned as problem+json. */
export class Problem extends Error {
  override name = 'Problem';
  readonly code: ProblemCode;
  readonly errors: FieldError[] | undefined;
  readonly counts: Record<string, number> | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** Codings that the body may have instead. */
  readonly acceptEncoding: string | undefined;

  constructor(
    code: ProblemCode,
    detail: string,
    more: {
      errors?: FieldError[];
      counts?: Record<string, number>;
      retryAfterSeconds?: number;
      acceptEncoding?: string;
      cause?: unknown;
    } = {},
  ) {
    super(detail, { cause: more.cause });
    this.code = code;
    this.errors = more.errors;
    this.counts = more.counts;
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.acceptEncoding = more.acceptEncoding;
  }

  get status(): number {
    return problems[this.code].status;
  }
}

/** A field rejected by a rule, with its code, so that a client can translate it. */
export function invalidField(path: string, code: FieldErrorCode, params?: FieldErrorParams): FieldError {
  return { path, message: fieldErrorMessage(code, params), code, ...(params && { params }) };
}

/** The JSON pointer of a zod issue path. */
export function pointer(path: readonly PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The invalid fields of a failed zod parse; `prefix` is empty for bodies, else `query` or `header`. */
export function fieldErrors(error: z.ZodError, prefix = ''): FieldError[] {
  return error.issues.map((issue) => ({
    path: `${prefix}${pointer(issue.path)}`,
    message: issue.message,
    ...schemaErrorOf(issue),
  }));
}
